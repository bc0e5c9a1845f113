#pragma once

#include <cstdint>

namespace jostle::protocol {

/// Protocol version. Client and server must have the same major version, schema hash and priors
/// hash; see docs/WIRE_FORMAT.md.
inline constexpr std::uint16_t version_major = 2;
inline constexpr std::uint16_t version_minor = 0;

/// Returns a hash of the text of all wire schemas, computed at build time. With it, two builds with
/// different message layouts reject each other with a clear error instead of misreading messages.
std::uint64_t schema_hash();

}  // namespace jostle::protocol
