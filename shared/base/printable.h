#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the length in bytes of the first character of the text if it may be printed in one line.
/// Returns 0 for control characters, marks that change the writing direction, and bytes that are
/// not UTF-8.
std::size_t printable_bytes(std::string_view text);
/// Returns the escape sequence of a byte that is not printable, for example "\x1b".
std::string escape_of(char byte);
/// Returns the text with each byte that is not printable in one line replaced by its escape
/// sequence. For names and texts from other machines that are shown in a terminal or a log.
std::string printable(std::string_view text);

}  // namespace jostle::base
