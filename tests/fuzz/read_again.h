#pragma once

#include "shared/base/assert.h"

#include <cstddef>
#include <span>

namespace jostle::fuzz {

/// Decodes `bytes`. If they are valid, encodes the result, which asserts its limits, and checks
/// that the encoding decodes to the same value. Returns true if the bytes are valid.
template <typename Decode, typename Encode>
bool reads_again(std::span<const std::byte> bytes, Decode decode, Encode encode) {
  const auto decoded = decode(bytes);
  if (!decoded) return false;
  const auto again = decode(encode(*decoded));
  JOSTLE_ASSERT(again.has_value());
  JOSTLE_ASSERT(*again == *decoded);
  return true;
}

}  // namespace jostle::fuzz
