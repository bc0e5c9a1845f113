#pragma once

#include "shared/base/random.h"
#include "shared/crypto/secret.h"

namespace jostle::secure {

/// Returns a random source that yields the same bytes for the same seed.
inline crypto::FillRandom seeded(std::uint64_t seed) {
  return [random = base::Random(seed)](std::span<std::byte> bytes) mutable {
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.next() & 0xFFU);
  };
}

}  // namespace jostle::secure
