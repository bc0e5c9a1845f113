// Fuzzes the handshake: its datagrams as bytes, whole handshakes in which one datagram is changed
// in transit, and payloads that only an attacker with valid keys can send.
#include "shared/base/assert.h"
#include "shared/secure/handshake_initiator.h"
#include "shared/secure/handshake_responder.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/secure/seeded_random.h"

#include <algorithm>

namespace jostle::secure::fuzz_handshake {
namespace {

using fuzz::FuzzInput;
using Bytes = std::vector<std::byte>;

constexpr std::array<std::byte, 6> here{std::byte{10}, std::byte{1}};
constexpr std::array<std::byte, 6> elsewhere{std::byte{10}, std::byte{2}};
constexpr std::int64_t slot_us = 15'000'000;
constexpr std::size_t hello_head_bytes = 1 + 2 + 8;  // the rest is padding

/// The keys of all runs. They are generated once, because a key pair takes as long as a thousand
/// short runs.
struct Keys {
  crypto::KeyPair server = crypto::key_pair(seeded(1)), other = crypto::key_pair(seeded(2));
  crypto::KeyPair client = crypto::key_pair(seeded(3)), fresh = crypto::key_pair(seeded(4));
  PreSharedKey psk = crypto::random_secret<32>(seeded(5));
  PreSharedKey wrong_psk = crypto::random_secret<32>(seeded(6));
};
const Keys& keys() {
  static const Keys made;
  return made;
}

HandshakeResponder responder_of(AccessMode mode) {
  ResponderOptions options{.mode = mode, .key = keys().server};
  if (mode == AccessMode::SharedKey) options.psk = keys().psk;
  return HandshakeResponder(options, seeded(7));
}

/// Checks that all decoders are the inverse of their encoders, except for padding.
void decode_all(std::span<const std::byte> bytes) {
  if (const auto hello = decode_hello(bytes)) {
    const Bytes again = encode(*hello);
    JOSTLE_ASSERT(again.size() == bytes.size());
    JOSTLE_ASSERT(std::equal(again.begin(), again.begin() + hello_head_bytes, bytes.begin()));
  }
  if (const auto cookie = decode_cookie(bytes))
    JOSTLE_ASSERT(std::ranges::equal(encode(*cookie), bytes));
  if (const auto auth = decode_auth(bytes)) JOSTLE_ASSERT(std::ranges::equal(encode(*auth), bytes));
  if (const auto accept = decode_accept(bytes))
    JOSTLE_ASSERT(std::ranges::equal(encode(*accept), bytes));
  if (const auto token = decode_auth_text(bytes)) {
    const Bytes again = encode_auth_text(*token);
    JOSTLE_ASSERT(std::equal(again.begin(), again.begin() + 2 + std::ssize(*token), bytes.begin()));
  }
  if (const auto text = decode_accept_text(bytes))
    JOSTLE_ASSERT(std::ranges::equal(encode(*text), bytes));
}

std::size_t length_of(DatagramType type) {
  switch (type) {
    case DatagramType::Hello:
      return hello_bytes;
    case DatagramType::Cookie:
      return cookie_bytes;
    case DatagramType::Auth:
      return auth_bytes;
    case DatagramType::Accept:
      return accept_bytes;
    case DatagramType::Sealed:
    case DatagramType::NoSession:
      break;
  }
  return 0;
}

/// Passes arbitrary bytes to the decoders, a responder, and an initiator that waits for an answer.
void take_stray(FuzzInput& input) {
  const auto type = static_cast<DatagramType>(1 + input.choice(5));
  const auto mode = static_cast<AccessMode>(input.choice(3));
  const bool is_greeting = input.choice(16) != 0;
  const std::size_t short_text = input.choice(3);
  Bytes bytes = fuzz::copy_of(input.rest());
  decode_all(bytes);
  if (short_text == 1) bytes.resize(auth_text_bytes);
  if (short_text == 2) bytes.resize(accept_text_bytes);
  if (type != DatagramType::Sealed && short_text == 0) {
    bytes.resize(length_of(type));
    bytes[0] = static_cast<std::byte>(type);
  }
  decode_all(bytes);

  constexpr std::int64_t now_us = 100 * slot_us;
  HandshakeResponder responder = responder_of(mode);
  const auto cookie = responder.answer_hello(bytes, here, now_us);
  JOSTLE_ASSERT(cookie.has_value() == decode_hello(bytes).has_value());
  if (cookie) JOSTLE_ASSERT(cookie->size() * 5 <= bytes.size() && decode_cookie(*cookie));
  JOSTLE_ASSERT(!responder.check_cookie(bytes, here, now_us));

  HandshakeInitiator initiator({.own = keys().client}, seeded(8));
  if (!is_greeting) {
    const auto hello = initiator.next_datagram(0);
    HandshakeResponder open = responder_of(AccessMode::Open);
    initiator.take(*open.answer_hello(*hello, here, now_us), 0);
    JOSTLE_ASSERT(initiator.state() == HandshakeInitiator::State::Proving);
  }
  const HandshakeInitiator::State before = initiator.state();
  initiator.take(bytes, 0);
  // An attacker that knows the nonce can at most make the initiator give up, or make it answer a
  // forged cookie.
  JOSTLE_ASSERT(initiator.state() == before ||
                initiator.state() == HandshakeInitiator::State::Refused ||
                (before == HandshakeInitiator::State::Greeting &&
                 initiator.state() == HandshakeInitiator::State::Proving));
  if (initiator.state() == HandshakeInitiator::State::Refused)
    JOSTLE_ASSERT(!initiator.text().empty());
}

/// Checks that both ends derived the same two keys.
void check_keys(const NoiseState::Keys& server, const NoiseState::Keys& client) {
  JOSTLE_ASSERT(
      crypto::constant_time_equal(server.from_initiator.bytes(), client.from_initiator.bytes()));
  JOSTLE_ASSERT(
      crypto::constant_time_equal(server.from_responder.bytes(), client.from_responder.bytes()));
  JOSTLE_ASSERT(
      !crypto::constant_time_equal(server.from_initiator.bytes(), server.from_responder.bytes()));
}

/// Checks that the client received the values that the server sent.
void check_session(const HandshakeResponder& responder, const NoiseState::Keys& server,
                   const AcceptText& text, const HandshakeInitiator::Session& session) {
  JOSTLE_ASSERT(session.number == text.session && session.client == text.client);
  JOSTLE_ASSERT(session.role == text.role && session.server == responder.key());
  check_keys(server, session.keys);
}

/// Returns the datagram with the fuzzer's changes. It is unchanged if the fuzzer's bytes are zeros.
Bytes changed(const Bytes& datagram, FuzzInput& input) {
  Bytes bytes = datagram;
  const std::size_t at = input.u16() % bytes.size();
  const auto patch = input.bytes(1 + input.choice(64));
  for (std::size_t i = 0; i < patch.size() && at + i < bytes.size(); ++i)
    bytes[at + i] ^= patch[i];
  const std::size_t cut = input.choice(8);
  if (cut == 1) bytes.pop_back();
  if (cut == 2) bytes.push_back({});
  return bytes;
}

/// Runs a whole handshake in which the fuzzer changes one datagram and lets time pass.
void shake_hands(FuzzInput& input) {
  const auto mode = static_cast<AccessMode>(input.choice(3));
  const std::size_t psk = input.choice(3), server = input.choice(3), where = input.choice(5);
  const std::int64_t delay_us = input.choice(2) * std::int64_t{input.u16()} * 1'000;
  Bytes token = fuzz::copy_of(input.bytes(input.choice(auth_text_bytes - 1)));
  HandshakeResponder responder = responder_of(mode);
  InitiatorOptions options{.own = keys().client, .token = token};
  if (psk > 0) options.psk = psk == 1 ? keys().psk : keys().wrong_psk;
  if (server > 0) options.server = server == 1 ? keys().server.shown : keys().other.shown;
  HandshakeInitiator initiator(options, seeded(9));
  const auto passed = [&](std::size_t which, const Bytes& datagram) {
    return where == which ? changed(datagram, input) : datagram;
  };
  std::int64_t now_us = 100 * slot_us;

  const Bytes hello = *initiator.next_datagram(now_us);
  const Bytes hello_come = passed(1, hello);
  const auto cookie = responder.answer_hello(hello_come, here, now_us);
  JOSTLE_ASSERT(cookie.has_value() == decode_hello(hello_come).has_value());
  if (!cookie) return;
  const Bytes cookie_come = passed(2, *cookie);
  initiator.take(cookie_come, now_us);
  const bool is_same_so_far =
      cookie_come == *cookie &&
      std::equal(hello.begin() + 3, hello.begin() + hello_head_bytes, hello_come.begin() + 3);
  if (is_same_so_far) {
    const auto shown = decode_token(token);
    const bool is_token_for_it = !shown || shown->server == responder.key();
    const bool may_prove = server != 2 && is_token_for_it &&
                           (mode == AccessMode::SharedKey) == (psk > 0) &&
                           (mode != AccessMode::Token || !token.empty());
    if (!may_prove) {
      // A single unacceptable cookie may be damaged; a second one is final.
      JOSTLE_ASSERT(initiator.state() == HandshakeInitiator::State::Greeting);
      JOSTLE_ASSERT(initiator.next_datagram(now_us + 1'000'000).has_value());
      initiator.take(cookie_come, now_us);
      JOSTLE_ASSERT(!initiator.next_datagram(now_us + 1'000'000));
    }
    JOSTLE_ASSERT(initiator.state() == (may_prove ? HandshakeInitiator::State::Proving
                                                  : HandshakeInitiator::State::Refused));
  }
  if (initiator.state() != HandshakeInitiator::State::Proving) return;

  const Bytes proof = *initiator.next_datagram(now_us);
  now_us += delay_us;
  const Bytes proof_come = passed(3, proof);
  if (proof_come != proof) {
    const auto auth = responder.check_cookie(proof_come, here, now_us);
    JOSTLE_ASSERT(!auth || !responder.read(*auth));
  }
  JOSTLE_ASSERT(!responder.check_cookie(proof, elsewhere, now_us));
  const auto auth = responder.check_cookie(proof, here, now_us);
  // The cookie was made at the start of a time slot. It is valid in this slot and in the next one.
  JOSTLE_ASSERT(auth.has_value() == (is_same_so_far && delay_us < 2 * slot_us) || !is_same_so_far);
  if (!auth) return;
  auto candidate = responder.read(*auth);
  JOSTLE_ASSERT(candidate.has_value() == (is_same_so_far && psk != 2));
  if (!candidate) return;
  JOSTLE_ASSERT(candidate->client == keys().client.shown && candidate->token == token);

  const AcceptText text{.admission = static_cast<Admission>(input.choice(admission_count)),
                        .role = static_cast<Role>(input.choice(3)),
                        .session = input.u32(),
                        .client = input.u64()};
  const auto answer = responder.answer(*candidate, *auth, text);
  JOSTLE_ASSERT(answer && answer->datagram.size() * 5 <= proof.size());
  const Bytes answer_come = passed(4, answer->datagram);
  if (answer_come != answer->datagram) {
    initiator.take(answer_come, now_us);
    JOSTLE_ASSERT(initiator.state() == HandshakeInitiator::State::Proving);
  }
  initiator.take(answer->datagram, now_us);
  if (text.admission != Admission::Accepted) {
    JOSTLE_ASSERT(initiator.state() == HandshakeInitiator::State::Refused);
    JOSTLE_ASSERT(initiator.text().find(describe(text.admission)) != std::string::npos);
    return;
  }
  JOSTLE_ASSERT(initiator.state() == HandshakeInitiator::State::Admitted);
  check_session(responder, answer->keys, text, initiator.session());
}

/// Sends payloads that this project never sends, with valid keys.
void say_inside(FuzzInput& input) {
  const auto mode = static_cast<AccessMode>(input.choice(3));
  const bool is_server = input.boolean();
  const std::optional<PreSharedKey> psk =
      mode == AccessMode::SharedKey ? std::optional(keys().psk) : std::nullopt;
  constexpr std::int64_t now_us = 0;
  if (!is_server) {
    HandshakeResponder responder = responder_of(mode);
    const auto cookie =
        decode_cookie(*responder.answer_hello(encode(Hello{.nonce = 1}), here, now_us));
    NoiseInitiator initiator(prologue_of(mode, 1, cookie->stamp), keys().client, keys().fresh,
                             responder.key(), psk);
    Bytes text = fuzz::copy_of(input.rest());
    text.resize(auth_text_bytes);
    const Bytes message = *initiator.write_first(text);
    const auto proof = encode(Auth{.nonce = 1, .stamp = cookie->stamp, .message = message});
    const auto auth = responder.check_cookie(proof, here, now_us);
    JOSTLE_ASSERT(auth);
    const auto candidate = responder.read(*auth);
    const auto token = decode_auth_text(text);
    JOSTLE_ASSERT(candidate.has_value() == token.has_value());
    if (candidate) JOSTLE_ASSERT(std::ranges::equal(candidate->token, *token));
    return;
  }
  Bytes token(1);
  HandshakeInitiator initiator({.own = keys().client, .psk = psk, .token = token}, seeded(10));
  const auto hello = decode_hello(*initiator.next_datagram(now_us));
  const Cookie cookie{
      .mode = mode, .nonce = hello->nonce, .stamp = {}, .server = keys().server.shown};
  initiator.take(encode(cookie), now_us);
  const Bytes proof = *initiator.next_datagram(now_us);
  const auto auth = decode_auth(proof);
  NoiseResponder responder(prologue_of(mode, hello->nonce, cookie.stamp), keys().server, psk);
  JOSTLE_ASSERT(auth && responder.read_first(auth->message));
  Bytes text = fuzz::copy_of(input.bytes(accept_text_bytes));
  text.resize(accept_text_bytes);
  const Bytes message = *responder.write_second(text, keys().fresh);
  initiator.take(encode(Accept{.nonce = hello->nonce, .message = message}), now_us);
  const auto read = decode_accept_text(text);
  const bool is_in = read && read->admission == Admission::Accepted;
  JOSTLE_ASSERT(initiator.state() ==
                (is_in ? HandshakeInitiator::State::Admitted : HandshakeInitiator::State::Refused));
  if (is_in) check_keys(responder.keys(), initiator.session().keys);
}

}  // namespace

JOSTLE_FUZZ_TARGET(handshake, data, size) {
  fuzz::FuzzInput input(data, size);
  // Most inputs run without a key exchange, which takes as long as a hundred of the other inputs.
  const std::size_t kind = input.choice(16);
  if (kind == 0) {
    shake_hands(input);
  } else if (kind == 1) {
    say_inside(input);
  } else {
    take_stray(input);
  }
  return 0;
}

}  // namespace jostle::secure::fuzz_handshake
