#pragma once

#include "shared/crypto/aead.h"
#include "shared/secure/replay_window.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace jostle::secure {

/// Size of the clear header: type u8, session u32, number u64, all little-endian.
inline constexpr std::size_t sealed_head_bytes = 1 + 4 + 8;
/// Number of bytes that sealing adds to a datagram: header and tag.
inline constexpr std::size_t sealed_overhead_bytes = sealed_head_bytes + crypto::aead_tag_bytes;

/// Returns the session id in the datagram's header, or nothing if the datagram does not have the
/// form of a sealed one. The header is not authenticated before open(): any sender can write any
/// session id.
std::optional<std::uint32_t> session_of(std::span<const std::byte> datagram);

/// The answer to a sealed datagram whose session does not exist, with the same clear header. It is
/// not authenticated, because the server has no key: a receiver must treat it as a hint. It is
/// shorter than any sealed datagram.
std::array<std::byte, sealed_head_bytes> no_session_hint(std::span<const std::byte> datagram);
/// The session and the number that a hint repeats.
struct NoSession {
  std::uint32_t session = 0;
  std::uint64_t number = 0;
};
/// Returns the content of a hint, or nothing if the datagram is none.
std::optional<NoSession> decode_no_session(std::span<const std::byte> datagram);

/// Encrypts the datagrams that one end of a session sends. Each datagram gets the next sequence
/// number, which is also its nonce, so that no nonce is used twice.
class DatagramEncryptor {
 public:
  DatagramEncryptor(const crypto::AeadKey& key, std::uint32_t session)
      : key_(key), session_(session) {}

  /// Writes the header and encrypts the text in place. The text starts at offset
  /// `sealed_head_bytes`; the last `aead_tag_bytes` bytes of the buffer receive the tag.
  void seal(std::span<std::byte> datagram);
  /// Returns the number of the next datagram.
  std::uint64_t next_number() const { return next_number_; }

 private:
  crypto::AeadKey key_;
  std::uint32_t session_;
  std::uint64_t next_number_ = 1;
};

/// Decrypts the datagrams that the other end of a session sends. It accepts each datagram at most
/// once.
class DatagramDecryptor {
 public:
  explicit DatagramDecryptor(const crypto::AeadKey& key) : key_(key) {}

  enum class Verdict : std::uint8_t { Opened, Forged, Replayed };
  struct Opened {
    Verdict verdict = Verdict::Forged;
    std::span<std::byte> text{};  // points into the datagram
    bool is_newest = false;       // true if the number is larger than all numbers accepted before
  };
  /// Authenticates a datagram and decrypts it in place. session_of(datagram) must not be empty.
  Opened open(std::span<std::byte> datagram);

 private:
  crypto::AeadKey key_;
  ReplayWindow window_;
};

}  // namespace jostle::secure
