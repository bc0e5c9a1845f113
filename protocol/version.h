#pragma once

#include <cstdint>

namespace jostle::protocol {

/// Client and server must agree on the major version exactly and on the schema hash;
/// docs/WIRE_FORMAT.md.
inline constexpr std::uint16_t version_major = 1;
inline constexpr std::uint16_t version_minor = 0;

/// Hash over the text of all schemas of the wire, computed at build time: two builds whose messages
/// are laid out differently refuse each other in words instead of misreading each other.
std::uint64_t schema_hash();

}  // namespace jostle::protocol
