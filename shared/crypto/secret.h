#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>

namespace jostle::crypto {

/// Fills bytes that a stranger cannot guess.
using FillRandom = std::function<void(std::span<std::byte>)>;

/// Overwrites bytes; compilers may not leave it out.
void wipe(std::span<std::byte> bytes);

/// Whether both are the same, in a time that tells nothing of where they differ. Of one length.
bool is_equal(std::span<const std::byte> a, std::span<const std::byte> b);

/// Bytes that nobody else may know. They are overwritten when it ends.
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

template <std::size_t size>
Secret<size> random_secret(const FillRandom& fill_random) {
  Secret<size> secret;
  fill_random(secret.bytes());
  return secret;
}

}  // namespace jostle::crypto
