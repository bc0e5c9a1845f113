#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jostle::protocol {

/// Returns true if `text` may be sent: valid UTF-8 without control characters, at most `max_bytes`
/// long. Control characters are forbidden because names appear in logs and terminals.
bool is_wire_text(std::string_view text, std::size_t max_bytes);

/// Converts `text` to a valid wire text: invalid characters become '?', and text that is too long
/// is cut between characters. Valid text is unchanged.
std::string to_wire_text(std::string_view text, std::size_t max_bytes);

}  // namespace jostle::protocol
