#include "shared/secure/noise.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <array>

namespace jostle::secure {
namespace {

constexpr std::string_view plain_protocol = "Noise_IK_25519_ChaChaPoly_BLAKE2b";
constexpr std::string_view psk_protocol = "Noise_IKpsk1_25519_ChaChaPoly_BLAKE2b";

std::string_view protocol_of(const std::optional<PreSharedKey>& psk) {
  return psk ? psk_protocol : plain_protocol;
}

using Wide = crypto::Secret<crypto::blake2b_bytes>;

/// Returns the first `count` outputs of HKDF (RFC 5869 without info), as Noise uses it (§4.3).
template <std::size_t count>
std::array<Wide, count> expand(const Wide& chain, std::span<const std::byte> input) {
  const Wide base = crypto::hmac_blake2b(chain.bytes(), {input});
  std::array<Wide, count> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte number[] = {static_cast<std::byte>(i + 1)};
    outputs[i] = i == 0 ? crypto::hmac_blake2b(base.bytes(), {number})
                        : crypto::hmac_blake2b(base.bytes(), {outputs[i - 1].bytes(), number});
  }
  return outputs;
}

crypto::AeadKey key_of(const Wide& wide) {
  return crypto::AeadKey(wide.bytes().first<crypto::aead_key_bytes>());
}

crypto::PublicKey public_key_of(std::span<const std::byte> bytes) {
  crypto::PublicKey key;
  JOSTLE_ASSERT(bytes.size() == key.size());
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

/// Mixes the Diffie-Hellman result of `own` and `other` into the state. Returns false if `other` is
/// a low-order point.
bool mix_exchange(NoiseState& state, const crypto::KeyPair& own, const crypto::PublicKey& other) {
  crypto::Secret<crypto::x25519_bytes> common;
  if (!crypto::x25519(own.secret, other, common)) return false;
  state.mix_key(common.bytes());
  return true;
}

/// Mixes an ephemeral public key into the handshake hash. In a handshake with a pre-shared key,
/// also mixes it into the chaining key, so that the cipher keys differ in every handshake (§9.2).
void mix_shown(NoiseState& state, const crypto::PublicKey& key, bool has_psk) {
  state.mix_hash(key);
  if (has_psk) state.mix_key(key);
}

}  // namespace

NoiseState::NoiseState(std::string_view protocol, std::span<const std::byte> prologue) {
  JOSTLE_ASSERT(protocol.size() <= hash_.size());
  const auto name = std::as_bytes(std::span(protocol));
  std::copy(name.begin(), name.end(), hash_.begin());
  chain_ = Wide(hash_);
  mix_hash(prologue);
}

void NoiseState::mix_hash(std::span<const std::byte> bytes) {
  hash_ = crypto::blake2b({hash_, bytes});
}

void NoiseState::mix_key(std::span<const std::byte> input) {
  const auto outputs = expand<2>(chain_, input);
  chain_ = outputs[0];
  key_ = key_of(outputs[1]);
  number_ = 0;
}

void NoiseState::mix_key_and_hash(const PreSharedKey& psk) {
  const auto outputs = expand<3>(chain_, psk.bytes());
  chain_ = outputs[0];
  mix_hash(outputs[1].bytes());
  key_ = key_of(outputs[2]);
  number_ = 0;
}

void NoiseState::encrypt_and_hash(std::span<const std::byte> text,
                                  std::vector<std::byte>& message) {
  const std::size_t start = message.size();
  message.insert(message.end(), text.begin(), text.end());
  if (key_) {
    message.resize(message.size() + crypto::aead_tag_bytes);
    crypto::aead_encrypt(*key_, number_++, hash_, std::span(message).subspan(start));
  }
  mix_hash(std::span(message).subspan(start));
}

std::optional<std::vector<std::byte>> NoiseState::decrypt_and_hash(
    std::span<const std::byte> sealed) {
  std::vector<std::byte> text(sealed.begin(), sealed.end());
  if (key_) {
    if (!crypto::aead_decrypt(*key_, number_, hash_, text)) return std::nullopt;
    ++number_;
    text.resize(text.size() - crypto::aead_tag_bytes);
  }
  mix_hash(sealed);
  return text;
}

NoiseState::Keys NoiseState::split() const {
  const auto outputs = expand<2>(chain_, {});
  return {.from_initiator = key_of(outputs[0]), .from_responder = key_of(outputs[1])};
}

NoiseInitiator::NoiseInitiator(std::span<const std::byte> prologue, crypto::KeyPair own,
                               crypto::KeyPair fresh, const crypto::PublicKey& responder,
                               const std::optional<PreSharedKey>& psk)
    : state_(protocol_of(psk), prologue),
      own_(std::move(own)),
      fresh_(std::move(fresh)),
      responder_(responder),
      psk_(psk) {
  state_.mix_hash(responder);
}

std::optional<std::vector<std::byte>> NoiseInitiator::write_first(std::span<const std::byte> text) {
  std::vector<std::byte> message(fresh_.shown.begin(), fresh_.shown.end());
  mix_shown(state_, fresh_.shown, psk_.has_value());
  if (!mix_exchange(state_, fresh_, responder_)) return std::nullopt;
  state_.encrypt_and_hash(own_.shown, message);
  if (!mix_exchange(state_, own_, responder_)) return std::nullopt;
  if (psk_) state_.mix_key_and_hash(*psk_);
  state_.encrypt_and_hash(text, message);
  return message;
}

std::optional<std::vector<std::byte>> NoiseInitiator::read_second(
    std::span<const std::byte> message) {
  if (message.size() < noise_second_overhead) return std::nullopt;
  // Work on a copy, so that a forged answer does not spoil the state for the genuine one.
  NoiseState state = state_;
  const crypto::PublicKey other = public_key_of(message.first(crypto::x25519_bytes));
  mix_shown(state, other, psk_.has_value());
  if (!mix_exchange(state, fresh_, other)) return std::nullopt;
  if (!mix_exchange(state, own_, other)) return std::nullopt;
  auto text = state.decrypt_and_hash(message.subspan(crypto::x25519_bytes));
  if (text) state_ = state;
  return text;
}

NoiseResponder::NoiseResponder(std::span<const std::byte> prologue, const crypto::KeyPair& own,
                               const std::optional<PreSharedKey>& psk)
    : state_(protocol_of(psk), prologue), own_(own), psk_(psk) {
  state_.mix_hash(own.shown);
}

std::optional<std::vector<std::byte>> NoiseResponder::read_first(
    std::span<const std::byte> message) {
  if (message.size() < noise_first_overhead) return std::nullopt;
  constexpr std::size_t sealed_key_bytes = crypto::x25519_bytes + crypto::aead_tag_bytes;
  initiator_fresh_ = public_key_of(message.first(crypto::x25519_bytes));
  mix_shown(state_, initiator_fresh_, psk_.has_value());
  if (!mix_exchange(state_, own_, initiator_fresh_)) return std::nullopt;
  const auto key = state_.decrypt_and_hash(message.subspan(crypto::x25519_bytes, sealed_key_bytes));
  if (!key) return std::nullopt;
  initiator_ = public_key_of(*key);
  if (!mix_exchange(state_, own_, initiator_)) return std::nullopt;
  if (psk_) state_.mix_key_and_hash(*psk_);
  return state_.decrypt_and_hash(message.subspan(crypto::x25519_bytes + sealed_key_bytes));
}

std::optional<std::vector<std::byte>> NoiseResponder::write_second(std::span<const std::byte> text,
                                                                   const crypto::KeyPair& fresh) {
  std::vector<std::byte> message(fresh.shown.begin(), fresh.shown.end());
  mix_shown(state_, fresh.shown, psk_.has_value());
  if (!mix_exchange(state_, fresh, initiator_fresh_)) return std::nullopt;
  if (!mix_exchange(state_, fresh, initiator_)) return std::nullopt;
  state_.encrypt_and_hash(text, message);
  return message;
}

}  // namespace jostle::secure
