#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jostle::base {

/// How many bytes there begin a character that may stand in a line: 0 for control characters, marks
/// that turn the direction of writing, and what is no UTF-8.
std::size_t printable_bytes(std::string_view text);
/// What stands for one of the others: "\x1b".
std::string escape_of(char byte);
/// What others have called something, for a terminal: whatever may not stand in a line is escaped.
std::string printable(std::string_view text);

}  // namespace jostle::base
