#include "shared/secure/dialer.h"

#include "shared/base/bytes.h"
#include "shared/crypto/encode.h"

#include <array>
#include <utility>

namespace jostle::secure {
namespace {

constexpr std::int64_t repeat_us = 250'000;
/// The cookie is good for at least 15 s.
constexpr std::int64_t proving_timeout_us = 5'000'000;

}  // namespace

Dialer::Dialer(DialOptions options, crypto::FillRandom fill_random)
    : options_(std::move(options)), fill_random_(std::move(fill_random)) {
  greet();
}

void Dialer::greet() {
  std::array<std::byte, 8> random{};
  fill_random_(random);
  nonce_ = base::ByteReader(random).u64();
  state_ = State::Greeting;
  exchange_.reset();
  sent_us_.reset();
}

std::optional<std::vector<std::byte>> Dialer::next_datagram(std::int64_t now_us) {
  if (state_ == State::Proving && now_us - proving_since_us_ >= proving_timeout_us) greet();
  if (state_ != State::Greeting && state_ != State::Proving) return std::nullopt;
  if (sent_us_ && now_us - *sent_us_ < repeat_us) return std::nullopt;
  sent_us_ = now_us;
  return state_ == State::Greeting ? encode(Hello{.nonce = nonce_}) : auth_;
}

void Dialer::take(std::span<const std::byte> datagram, std::int64_t now_us) {
  if (state_ == State::Greeting) {
    if (const auto cookie = decode_cookie(datagram)) take_cookie(*cookie, now_us);
  } else if (state_ == State::Proving) {
    if (const auto accept = decode_accept(datagram)) take_accept(*accept);
  }
}

void Dialer::take_cookie(const Cookie& cookie, std::int64_t now_us) {
  // Who answers knows the HELLO: a stranger who cannot see it cannot turn the client away.
  if (cookie.nonce != nonce_) return;
  server_key_ = cookie.server;
  if (cookie.version != handshake_version) {
    return refuse("seals datagrams by version " + std::to_string(cookie.version) +
                  ", this client by version " + std::to_string(handshake_version));
  }
  if (options_.server && *options_.server != cookie.server) {
    return refuse("shows another key than expected: its fingerprint is " +
                  crypto::fingerprint(cookie.server) + ", expected was " +
                  crypto::fingerprint(*options_.server) + options_.server_source);
  }
  // Whoever else it was shown to could come in by it.
  if (const auto token = decode_token(options_.token); token && token->server != cookie.server) {
    return refuse("is not the one that the token is for: its fingerprint is " +
                  crypto::fingerprint(cookie.server) + ", the token's " +
                  crypto::fingerprint(token->server));
  }
  if ((cookie.mode == AccessMode::SharedKey) != options_.psk.has_value()) {
    return refuse(options_.psk ? "does not ask for a shared key (--psk)"
                               : "asks for a shared key (--psk)");
  }
  if (cookie.mode == AccessMode::Token && options_.token.empty())
    return refuse("asks for a token (--token)");

  exchange_.emplace(prologue_of(cookie.mode, nonce_, cookie.stamp), options_.own,
                    crypto::key_pair(fill_random_), cookie.server, options_.psk);
  const auto message = exchange_->write_first(encode_auth_text(options_.token));
  if (!message) return refuse("shows a key that is none");
  auth_ = encode(Auth{.nonce = nonce_, .stamp = cookie.stamp, .message = *message});
  state_ = State::Proving;
  if (options_.psk)
    words_ = "the server is there, but leaves the proof unanswered: is it the same shared key?";
  proving_since_us_ = now_us;
  sent_us_.reset();
}

void Dialer::take_accept(const Accept& accept) {
  if (accept.nonce != nonce_) return;
  const auto bytes = exchange_->read_second(accept.message);
  if (!bytes) return;
  const auto text = decode_accept_text(*bytes);
  if (!text) return refuse("gave an unreadable answer");
  if (text->admission != Admission::Accepted)
    return refuse("does not let you in: " + std::string(describe(text->admission)));
  session_ = Session{.number = text->session,
                     .keys = exchange_->keys(),
                     .role = text->role,
                     .client = text->client,
                     .server = *server_key_};
  state_ = State::Admitted;
  words_.clear();
}

void Dialer::refuse(std::string words) {
  state_ = State::Refused;
  words_ = std::move(words);
}

}  // namespace jostle::secure
