#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::crypto {

/// base64 with the letters that are safe in URLs and file names, without padding (RFC 4648 §5).
std::string to_base64(std::span<const std::byte> bytes);
/// Nothing when a letter is none of those, or bits are left over. In constant time for its length.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

/// For people to compare: the first 80 bits of a hash of the key, as "a1b2 c3d4 e5f6 0718 293a".
std::string fingerprint(std::span<const std::byte> key);

}  // namespace jostle::crypto
