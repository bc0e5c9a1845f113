#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jostle::protocol {

/// Whether `text` may cross the wire: UTF-8 without control characters (a name goes to logs and
/// terminals), at most `max_bytes` long.
bool is_wire_text(std::string_view text, std::size_t max_bytes);

/// `text` as the wire takes it: what is not allowed becomes '?', what is too long is cut between
/// characters. Leaves allowed text as it is.
std::string to_wire_text(std::string_view text, std::size_t max_bytes);

}  // namespace jostle::protocol
