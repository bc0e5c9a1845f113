#pragma once

#include "shared/crypto/aead.h"
#include "shared/crypto/blake2b.h"
#include "shared/crypto/x25519.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace jostle::secure {

/// A secret that both ends hold before the handshake.
using PreSharedKey = crypto::Secret<32>;

/// The symmetric state of a handshake of the Noise protocol framework (revision 34, §5.2): the
/// handshake hash `h`, the chaining key `ck` and the cipher key `k` with its nonce.
class NoiseState {
 public:
  NoiseState(std::string_view protocol, std::span<const std::byte> prologue);

  void mix_hash(std::span<const std::byte> bytes);
  void mix_key(std::span<const std::byte> input);
  void mix_key_and_hash(const PreSharedKey& psk);
  /// Appends the text to the message and mixes the appended bytes into the hash. The text is
  /// encrypted if `mix_key` has already set a cipher key.
  void encrypt_and_hash(std::span<const std::byte> text, std::vector<std::byte>& message);
  /// Returns the decrypted text and mixes the ciphertext into the hash. Returns nothing if
  /// authentication fails.
  std::optional<std::vector<std::byte>> decrypt_and_hash(std::span<const std::byte> sealed);
  /// The two transport keys of a finished handshake, one for each direction.
  struct Keys {
    crypto::AeadKey from_initiator, from_responder;
  };
  Keys split() const;
  const crypto::Digest& hash() const { return hash_; }

 private:
  crypto::Digest hash_{};
  crypto::Secret<crypto::blake2b_bytes> chain_;
  std::optional<crypto::AeadKey> key_;
  std::uint64_t number_ = 0;
};

// Noise_IK_25519_ChaChaPoly_BLAKE2b, and with a pre-shared key
// Noise_IKpsk1_25519_ChaChaPoly_BLAKE2b:
//
//   <- s
//   ...
//   -> e, es, s, ss [, psk]   the initiator knows the responder's key, and sends its own encrypted
//   <- e, ee, se
//
// Only the responder can read the payload of the first message. With `psk`, that message also
// proves that the initiator holds the pre-shared key. The transport keys after the second message
// have forward secrecy: they cannot be computed later without one of the handshake's two ephemeral
// secrets.

/// Number of bytes that each message adds to its payload: public keys and authentication tags.
inline constexpr std::size_t noise_first_overhead =
    crypto::x25519_bytes + crypto::x25519_bytes + crypto::aead_tag_bytes + crypto::aead_tag_bytes;
inline constexpr std::size_t noise_second_overhead = crypto::x25519_bytes + crypto::aead_tag_bytes;

/// The initiator's end of the handshake: the client.
class NoiseInitiator {
 public:
  NoiseInitiator(std::span<const std::byte> prologue, crypto::KeyPair own, crypto::KeyPair fresh,
                 const crypto::PublicKey& responder, const std::optional<PreSharedKey>& psk);
  /// Returns the first message with `text` as its payload, or nothing if the responder's key is a
  /// low-order point. Call it once.
  std::optional<std::vector<std::byte>> write_first(std::span<const std::byte> text);
  /// Returns the payload of the second message, or nothing if it is not authentic. After a failure
  /// it may be called again with another message.
  std::optional<std::vector<std::byte>> read_second(std::span<const std::byte> message);
  /// Returns the transport keys. They are valid after read_second() has succeeded.
  NoiseState::Keys keys() const { return state_.split(); }

 private:
  NoiseState state_;
  crypto::KeyPair own_, fresh_;
  crypto::PublicKey responder_;
  std::optional<PreSharedKey> psk_;
};

/// The responder's end of the handshake: the server.
class NoiseResponder {
 public:
  NoiseResponder(std::span<const std::byte> prologue, const crypto::KeyPair& own,
                 const std::optional<PreSharedKey>& psk);
  /// Returns the payload of the first message, or nothing if it was not made for this key, prologue
  /// and pre-shared key. Call it once.
  std::optional<std::vector<std::byte>> read_first(std::span<const std::byte> message);
  /// Returns the second message with `text` as its payload, or nothing if one of the initiator's
  /// keys is a low-order point.
  std::optional<std::vector<std::byte>> write_second(std::span<const std::byte> text,
                                                     const crypto::KeyPair& fresh);
  /// Returns the initiator's static key. After read_first() has succeeded, the initiator has proved
  /// that it holds the secret.
  const crypto::PublicKey& initiator() const { return initiator_; }
  /// Returns the transport keys. They are valid after write_second() has succeeded.
  NoiseState::Keys keys() const { return state_.split(); }

 private:
  NoiseState state_;
  crypto::KeyPair own_;
  std::optional<PreSharedKey> psk_;
  crypto::PublicKey initiator_{}, initiator_fresh_{};
};

}  // namespace jostle::secure
