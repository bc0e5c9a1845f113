#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the length in bytes of the first character of the text if that character may be printed
/// within a line. Returns 0 for an empty text, control characters, line and paragraph separators,
/// marks that change the writing direction, and bytes that are not UTF-8.
std::size_t printable_bytes(std::string_view text);
/// Returns the escape sequence of a byte that is not printable, for example "\x1b".
std::string escape_of(char byte);
/// Returns the text with an escape sequence in place of each byte for which `printable_bytes` is 0.
/// Use it for names and texts from other machines that are shown in a terminal or a log.
std::string printable(std::string_view text);

}  // namespace jostle::base
