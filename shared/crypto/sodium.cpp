#include "shared/crypto/detail/sodium.h"

#include "shared/base/assert.h"
#include "shared/crypto/secret.h"

namespace jostle::crypto {

void detail::prepare_sodium() {
  static const int state = sodium_init();
  JOSTLE_ASSERT(state >= 0);
}

void wipe(std::span<std::byte> bytes) {
  sodium_memzero(bytes.data(), bytes.size());
}

bool constant_time_equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  JOSTLE_ASSERT(a.size() == b.size());
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace jostle::crypto
