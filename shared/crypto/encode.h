#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::crypto {

/// Returns URL-safe base64 without padding (RFC 4648 §5).
std::string to_base64(std::span<const std::byte> bytes);
/// Decodes URL-safe base64. Returns nothing for other characters, padding or unused bits that are
/// not zero. The run time for a valid text depends only on its length.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

/// Returns a fingerprint for people to compare: the first 80 bits of the key's BLAKE2b hash, as
/// "a1b2 c3d4 e5f6 0718 293a".
std::string fingerprint(std::span<const std::byte> key);

}  // namespace jostle::crypto
