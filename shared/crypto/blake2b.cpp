#include "shared/crypto/blake2b.h"

#include "shared/base/assert.h"
#include "shared/crypto/detail/sodium.h"

#include <algorithm>

namespace jostle::crypto {
namespace {

/// Block size of BLAKE2b in bytes. HMAC pads its key to one block.
constexpr std::size_t block_bytes = 128;

class Hash {
 public:
  Hash(std::span<const std::byte> key, std::size_t bytes) : bytes_(bytes) {
    detail::prepare_sodium();
    crypto_generichash_init(&state_, key.empty() ? nullptr : detail::in(key), key.size(), bytes);
  }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;
  ~Hash() { sodium_memzero(&state_, sizeof(state_)); }

  void add(std::span<const std::byte> part) {
    crypto_generichash_update(&state_, detail::in(part), part.size());
  }
  void finish(std::span<std::byte> out) {
    JOSTLE_ASSERT(out.size() == bytes_);
    crypto_generichash_final(&state_, detail::out(out), out.size());
  }

 private:
  crypto_generichash_state state_;
  std::size_t bytes_;
};

}  // namespace

Digest blake2b(Parts parts) {
  Hash hash({}, blake2b_bytes);
  for (const auto part : parts)
    hash.add(part);
  Digest digest;
  hash.finish(digest);
  return digest;
}

void keyed_blake2b(std::span<const std::byte, 32> key, Parts parts, std::span<std::byte> out) {
  JOSTLE_ASSERT(out.size() >= 16 && out.size() <= blake2b_bytes);
  Hash hash(key, out.size());
  for (const auto part : parts)
    hash.add(part);
  hash.finish(out);
}

Secret<blake2b_bytes> hmac_blake2b(std::span<const std::byte> key, Parts parts) {
  JOSTLE_ASSERT(key.size() <= block_bytes);
  Secret<block_bytes> padded;
  const auto fill = [&](std::byte pad) {
    std::fill(padded.bytes().begin(), padded.bytes().end(), pad);
    for (std::size_t i = 0; i < key.size(); ++i)
      padded.bytes()[i] ^= key[i];
  };
  Secret<blake2b_bytes> result;
  fill(std::byte{0x36});
  Hash inner({}, blake2b_bytes);
  inner.add(padded.bytes());
  for (const auto part : parts)
    inner.add(part);
  inner.finish(result.bytes());
  fill(std::byte{0x5C});
  Hash outer({}, blake2b_bytes);
  outer.add(padded.bytes());
  outer.add(result.bytes());
  outer.finish(result.bytes());
  return result;
}

}  // namespace jostle::crypto
