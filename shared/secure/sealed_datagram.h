#pragma once

#include "shared/crypto/aead.h"
#include "shared/secure/replay_window.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace jostle::secure {

/// Before the encrypted text: type u8, session u32, number u64, all little-endian.
inline constexpr std::size_t sealed_head_bytes = 1 + 4 + 8;
/// What sealing adds to a datagram.
inline constexpr std::size_t sealed_overhead_bytes = sealed_head_bytes + crypto::aead_tag_bytes;

/// The session that a datagram names, if it has the form of a sealed one. Anybody can write that:
/// only opening it shows whose it is.
std::optional<std::uint32_t> session_of(std::span<const std::byte> datagram);

/// Seals what one end of a session sends. No number is used twice with its key.
class Sealer {
 public:
  Sealer(const crypto::AeadKey& key, std::uint32_t session) : key_(key), session_(session) {}

  /// Seals the text that starts behind sealed_head_bytes of `datagram`, which has room for the tag
  /// behind it.
  void seal(std::span<std::byte> datagram);

 private:
  crypto::AeadKey key_;
  std::uint32_t session_;
  std::uint64_t next_number_ = 1;
};

/// Opens what the other end has sealed, each datagram once.
class Opener {
 public:
  explicit Opener(const crypto::AeadKey& key) : key_(key) {}

  enum class Verdict : std::uint8_t { Opened, Forged, Replayed };
  struct Opened {
    Verdict verdict = Verdict::Forged;
    std::span<std::byte> text{};  // inside the datagram
    bool is_newest = false;       // of all that came
  };
  /// Decrypts in place. Of a datagram with a session, as session_of() says.
  Opened open(std::span<std::byte> datagram);

 private:
  crypto::AeadKey key_;
  ReplayWindow window_;
};

}  // namespace jostle::secure
