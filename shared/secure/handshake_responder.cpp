#include "shared/secure/handshake_responder.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <algorithm>

namespace jostle::secure {
namespace {

/// Length of a cookie's time slot. A cookie is valid in its own slot and in the next one.
constexpr std::int64_t slot_us = 15'000'000;

std::uint32_t slot_at(std::int64_t now_us) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(now_us / slot_us));
}

}  // namespace

HandshakeResponder::HandshakeResponder(const ResponderOptions& options,
                                       const crypto::FillRandom& fill_random)
    : options_(options),
      fill_random_(fill_random),
      cookie_secret_(crypto::random_secret<32>(fill_random)),
      cookies_(options.cookies_per_second, options.cookie_burst),
      exchanges_(options.exchanges_per_second, options.exchange_burst) {
  JOSTLE_ASSERT((options.mode == AccessMode::SharedKey) == options.psk.has_value());
}

std::array<std::byte, mac_bytes> HandshakeResponder::mac_of(std::span<const std::byte> address,
                                                            std::uint64_t nonce,
                                                            std::uint32_t slot) const {
  base::ByteWriter numbers;
  numbers.u64(nonce);
  numbers.u32(slot);
  std::array<std::byte, mac_bytes> mac{};
  crypto::keyed_blake2b(cookie_secret_.bytes(), {numbers.bytes(), address}, mac);
  return mac;
}

std::optional<std::vector<std::byte>> HandshakeResponder::answer_hello(
    std::span<const std::byte> datagram, std::span<const std::byte> address, std::int64_t now_us) {
  const std::optional<Hello> hello = decode_hello(datagram);
  if (!hello || !cookies_.take(now_us)) return std::nullopt;
  const std::uint32_t slot = slot_at(now_us);
  return encode(Cookie{.mode = options_.mode,
                       .nonce = hello->nonce,
                       .stamp = {.slot = slot, .mac = mac_of(address, hello->nonce, slot)},
                       .server = key()});
}

std::optional<Auth> HandshakeResponder::check_cookie(std::span<const std::byte> datagram,
                                                     std::span<const std::byte> address,
                                                     std::int64_t now_us) const {
  const std::optional<Auth> auth = decode_auth(datagram);
  if (!auth || auth->version != handshake_version) return std::nullopt;
  const std::uint32_t slot = slot_at(now_us);
  if (auth->stamp.slot != slot && auth->stamp.slot + 1 != slot) return std::nullopt;
  if (!crypto::constant_time_equal(mac_of(address, auth->nonce, auth->stamp.slot), auth->stamp.mac))
    return std::nullopt;
  return auth;
}

std::optional<HandshakeResponder::Candidate> HandshakeResponder::read(const Auth& auth) const {
  NoiseResponder exchange(prologue_of(options_.mode, auth.nonce, auth.stamp), options_.key,
                          options_.psk);
  const auto text = exchange.read_first(auth.message);
  if (!text) return std::nullopt;
  const auto token = decode_auth_text(*text);
  if (!token) return std::nullopt;
  const crypto::PublicKey client = exchange.initiator();
  return Candidate{
      .client = client, .token = {token->begin(), token->end()}, .exchange = std::move(exchange)};
}

std::optional<HandshakeResponder::Answer> HandshakeResponder::answer(Candidate& candidate,
                                                                     const Auth& auth,
                                                                     const AcceptText& text) {
  const auto message =
      candidate.exchange.write_second(encode(text), crypto::key_pair(fill_random_));
  if (!message) return std::nullopt;
  return Answer{.datagram = encode(Accept{.nonce = auth.nonce, .message = *message}),
                .keys = candidate.exchange.keys()};
}

}  // namespace jostle::secure
