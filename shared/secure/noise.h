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

/// A secret that both ends were given beforehand.
using PreSharedKey = crypto::Secret<32>;

/// The state that both ends of a handshake of the Noise protocol framework (revision 34, §5.2) go
/// through: `h` is the hash of all that was said, `ck` chains the keys.
class NoiseState {
 public:
  NoiseState(std::string_view protocol, std::span<const std::byte> prologue);

  void mix_hash(std::span<const std::byte> bytes);
  void mix_key(std::span<const std::byte> input);
  void mix_key_and_hash(const PreSharedKey& psk);
  /// Appends the text, encrypted once there is a key.
  void encrypt_and_hash(std::span<const std::byte> text, std::vector<std::byte>& message);
  /// The text, or nothing when it is not what the other end with the same state has encrypted.
  std::optional<std::vector<std::byte>> decrypt_and_hash(std::span<const std::byte> sealed);
  /// The keys of what follows: of the initiator's datagrams and of the responder's.
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

// Noise_IK_25519_ChaChaPoly_BLAKE2b, and with a shared key Noise_IKpsk1_25519_ChaChaPoly_BLAKE2b:
//
//   <- s
//   ...
//   -> e, es, s, ss [, psk]   the initiator knows the responder's key, and shows its own encrypted
//   <- e, ee, se
//
// What the initiator says in the first message can be read by the responder alone, and proves with
// `psk` that it has the shared key. What follows the second has keys that nobody can compute later,
// even with all secrets but the two that were made for this handshake.

/// Bytes around the text of each message.
inline constexpr std::size_t noise_first_overhead =
    crypto::x25519_bytes + crypto::x25519_bytes + crypto::aead_tag_bytes + crypto::aead_tag_bytes;
inline constexpr std::size_t noise_second_overhead = crypto::x25519_bytes + crypto::aead_tag_bytes;

class NoiseInitiator {
 public:
  NoiseInitiator(std::span<const std::byte> prologue, crypto::KeyPair own, crypto::KeyPair fresh,
                 const crypto::PublicKey& responder, const std::optional<PreSharedKey>& psk);
  /// Nothing when the responder's key is none. Once.
  std::optional<std::vector<std::byte>> write_first(std::span<const std::byte> text);
  /// The text of the answer, or nothing when it is not one. Again until there is one.
  std::optional<std::vector<std::byte>> read_second(std::span<const std::byte> message);
  /// After the second message.
  NoiseState::Keys keys() const { return state_.split(); }

 private:
  NoiseState state_;
  crypto::KeyPair own_, fresh_;
  crypto::PublicKey responder_;
  std::optional<PreSharedKey> psk_;
};

class NoiseResponder {
 public:
  NoiseResponder(std::span<const std::byte> prologue, const crypto::KeyPair& own,
                 const std::optional<PreSharedKey>& psk);
  /// The text of the first message, or nothing when it was not made for this key. Once.
  std::optional<std::vector<std::byte>> read_first(std::span<const std::byte> message);
  /// Nothing when the initiator's keys are none.
  std::optional<std::vector<std::byte>> write_second(std::span<const std::byte> text,
                                                     const crypto::KeyPair& fresh);
  /// After the first message: who has the secret of this key.
  const crypto::PublicKey& initiator() const { return initiator_; }
  NoiseState::Keys keys() const { return state_.split(); }

 private:
  NoiseState state_;
  crypto::KeyPair own_;
  std::optional<PreSharedKey> psk_;
  crypto::PublicKey initiator_{}, initiator_fresh_{};
};

}  // namespace jostle::secure
