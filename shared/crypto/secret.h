#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>

namespace jostle::crypto {

/// A function that fills a buffer with cryptographically secure random bytes.
using FillRandom = std::function<void(std::span<std::byte>)>;

/// Overwrites bytes with zeros. Compilers cannot optimise this call away.
void wipe(std::span<std::byte> bytes);

/// Returns true if `a` and `b` are equal, in constant time. Both must have the same length.
bool constant_time_equal(std::span<const std::byte> a, std::span<const std::byte> b);

/// Secret bytes, overwritten with zeros on destruction.
template <std::size_t size>
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::span<const std::byte, size> bytes) {
    for (std::size_t i = 0; i < size; ++i)
      bytes_[i] = bytes[i];
  }
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret() { wipe(bytes_); }

  std::span<const std::byte, size> bytes() const { return bytes_; }
  std::span<std::byte, size> bytes() { return bytes_; }

 private:
  std::array<std::byte, size> bytes_{};
};

/// Returns a secret of random bytes.
template <std::size_t size>
Secret<size> random_secret(const FillRandom& fill_random) {
  Secret<size> secret;
  fill_random(secret.bytes());
  return secret;
}

}  // namespace jostle::crypto
