#include "shared/secure/handshake_initiator.h"

#include "shared/base/bytes.h"
#include "shared/crypto/encode.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jostle::secure {
namespace {

/// Interval after which an unanswered HELLO is sent again. A HELLO takes 300 ms over a link of
/// 32 kbit/s, and an earlier repetition would wait in a queue behind it.
constexpr std::int64_t hello_repeat_us = 400'000;
/// Bounds of the interval after which an unanswered AUTH is sent again. It is at least
/// `patient_factor` times the time until the HELLO was answered.
constexpr std::int64_t least_auth_repeat_us = 250'000, most_auth_repeat_us = 1'000'000;
constexpr double patient_factor = 1.25;
/// Time after which the initiator stops repeating its AUTHs and starts again with a new HELLO. It
/// is shorter than 15 s, the minimum validity of a cookie.
constexpr std::int64_t proving_timeout_us = 5'000'000;
/// Time for which the initiator waits for an acceptable cookie after the first unacceptable one.
constexpr std::int64_t fault_patience_us = 500'000;
/// Number of equal unacceptable cookies after which the initiator gives up. A single one may be
/// damaged: cookies have no checksum of their own.
constexpr int min_fault_count = 2;
/// Maximum number of cookies that the initiator answers for one HELLO.
constexpr std::size_t max_proofs = 4;

}  // namespace

HandshakeInitiator::HandshakeInitiator(InitiatorOptions options, crypto::FillRandom fill_random)
    : options_(std::move(options)), fill_random_(std::move(fill_random)) {
  greet();
}

void HandshakeInitiator::greet() {
  std::array<std::byte, 8> random{};
  fill_random_(random);
  nonce_ = base::ByteReader(random).u64();
  state_ = State::Greeting;
  proofs_.clear();
  fault_ = {};
  fault_count_ = 0;
  sent_us_.reset();
}

std::optional<std::vector<std::byte>> HandshakeInitiator::next_datagram(std::int64_t now_us) {
  if (state_ == State::Proving && now_us - proving_since_us_ >= proving_timeout_us) greet();
  if (state_ == State::Proving) return next_proof(now_us);
  if (state_ != State::Greeting) return std::nullopt;
  if (fault_count_ >= min_fault_count && now_us - fault_us_ >= fault_patience_us) {
    refuse(fault_);
    return std::nullopt;
  }
  if (sent_us_ && now_us - *sent_us_ < hello_repeat_us) return std::nullopt;
  // The answer to a repeated HELLO does not measure the path.
  auth_repeat_us_ = sent_us_ ? hello_repeat_us : 0;
  sent_us_ = now_us;
  return encode(Hello{.nonce = nonce_});
}

std::optional<std::vector<std::byte>> HandshakeInitiator::next_proof(std::int64_t now_us) {
  for (Proof& proof : proofs_) {
    if (proof.sent_us && now_us - *proof.sent_us < auth_repeat_us_) continue;
    proof.sent_us = now_us;
    return proof.auth;
  }
  return std::nullopt;
}

void HandshakeInitiator::take(std::span<const std::byte> datagram, std::int64_t now_us) {
  if (state_ != State::Greeting && state_ != State::Proving) return;
  if (const auto cookie = decode_cookie(datagram)) handle_cookie(*cookie, now_us);
  if (state_ != State::Proving) return;
  if (const auto accept = decode_accept(datagram)) handle_accept(*accept);
}

void HandshakeInitiator::handle_cookie(const Cookie& cookie, std::int64_t now_us) {
  // A genuine reply repeats the nonce of the HELLO. An attacker that cannot see the HELLO therefore
  // cannot make the client give up.
  if (cookie.nonce != nonce_) return;
  Fault fault = fault_of(cookie);
  if (fault.kind == Refusal::None) return prove_to(cookie, now_us);
  if (state_ == State::Proving) return;
  if (fault.kind == fault_.kind && fault.text == fault_.text) {
    ++fault_count_;
    return;
  }
  if (fault_.kind == Refusal::None) fault_us_ = now_us;
  fault_ = std::move(fault);
  fault_count_ = 1;
  server_key_ = cookie.server;
}

HandshakeInitiator::Fault HandshakeInitiator::fault_of(const Cookie& cookie) const {
  if (cookie.version != handshake_version) {
    return {Refusal::OtherVersion, "uses version " + std::to_string(cookie.version) +
                                       " of the handshake, and this client version " +
                                       std::to_string(handshake_version)};
  }
  if (options_.server && *options_.server != cookie.server) {
    return {Refusal::OtherKey, "has another key than expected: its fingerprint is " +
                                   crypto::fingerprint(cookie.server) + ", but expected was " +
                                   crypto::fingerprint(*options_.server) + options_.server_source};
  }
  // Do not send a token to a server that the token does not name: that server could use it to join
  // the named one.
  if (const auto token = decode_token(options_.token); token && token->server != cookie.server) {
    return {Refusal::TokenInvalid, "is not the server that the token is for: its fingerprint is " +
                                       crypto::fingerprint(cookie.server) +
                                       ", and the token names " +
                                       crypto::fingerprint(token->server)};
  }
  if ((cookie.mode == AccessMode::SharedKey) != options_.psk.has_value()) {
    if (options_.psk)
      return {Refusal::SharedKeyNotUsed,
              "does not use a shared key; connect without " + options_.names.psk};
    return {Refusal::SharedKeyRequired,
            "requires a shared key; give its file with " + options_.names.psk};
  }
  if (cookie.mode == AccessMode::Token && options_.token.empty())
    return {Refusal::TokenRequired, "requires a token; give one with " + options_.names.token};
  return {};
}

void HandshakeInitiator::prove_to(const Cookie& cookie, std::int64_t now_us) {
  const bool is_known = std::any_of(proofs_.begin(), proofs_.end(), [&](const Proof& proof) {
    return encode(proof.cookie) == encode(cookie);
  });
  if (is_known || proofs_.size() >= max_proofs) return;
  Proof proof{
      .cookie = cookie,
      .exchange = NoiseInitiator(prologue_of(cookie.mode, nonce_, cookie.stamp), options_.own,
                                 crypto::key_pair(fill_random_), cookie.server, options_.psk),
      .auth = {}};
  const auto message = proof.exchange.write_first(encode_auth_text(options_.token));
  if (!message) return;  // No message: the server's key is a low-order point.
  proof.auth = encode(Auth{.nonce = nonce_, .stamp = cookie.stamp, .message = *message});
  proofs_.push_back(std::move(proof));
  if (state_ == State::Proving) return;
  state_ = State::Proving;
  if (auth_repeat_us_ == 0 && sent_us_) {
    const auto round_trip_us = static_cast<double>(now_us - *sent_us_);
    auth_repeat_us_ = std::clamp(static_cast<std::int64_t>(patient_factor * round_trip_us),
                                 least_auth_repeat_us, most_auth_repeat_us);
  }
  server_key_ = cookie.server;
  if (options_.psk)
    words_ = "the server answers, but does not accept the handshake: check that " +
             options_.names.psk + " is the same key on both sides";
  proving_since_us_ = now_us;
}

void HandshakeInitiator::handle_accept(const Accept& accept) {
  if (accept.nonce != nonce_) return;
  for (Proof& proof : proofs_) {
    const auto bytes = proof.exchange.read_second(accept.message);
    if (!bytes) continue;
    server_key_ = proof.cookie.server;
    const auto text = decode_accept_text(*bytes);
    if (!text) return refuse({Refusal::Unreadable, "sent an answer that cannot be decoded"});
    if (text->admission != Admission::Accepted) {
      return refuse({refusal_of(text->admission),
                     "refused the connection: " + std::string(describe(text->admission)) +
                         hint_for(text->admission)});
    }
    session_ = Session{.number = text->session,
                       .keys = proof.exchange.keys(),
                       .role = text->role,
                       .client = text->client,
                       .server = *server_key_};
    state_ = State::Admitted;
    words_.clear();
    return;
  }
}

/// Returns the end of a message: the setting with which the client could have been admitted.
std::string HandshakeInitiator::hint_for(Admission admission) const {
  if (admission == Admission::TokenMissing) return " (" + options_.names.token + ")";
  if (admission == Admission::TokenOfOtherClient) return " (" + options_.names.key + ")";
  if (admission == Admission::TokenUsed)
    return "; without " + options_.names.key +
           ", each start of the program counts as another client";
  return "";
}

void HandshakeInitiator::refuse(Fault fault) {
  state_ = State::Refused;
  refusal_ = fault.kind;
  words_ = std::move(fault.text);
}

}  // namespace jostle::secure
