// The admission of clients: cookies, key exchanges, and slots for clients without an ENet peer.
#include "shared/base/bytes.h"
#include "shared/crypto/blake2b.h"
#include "shared/net/sealed_link.h"

#include <algorithm>
#include <utility>

namespace jostle::net {
namespace {

constexpr double saved_seconds = 2;
/// Maximum number of clients that one call puts back into the queue because no slot is free. The
/// call then leaves the remaining clients for later calls.
constexpr std::size_t max_turned_away_at_once = 16;

std::vector<std::byte> address_bytes(Address address) {
  base::ByteWriter writer;
  for (const std::uint8_t byte : address.ip.bytes())
    writer.u8(byte);
  writer.u32(address.ip.scope());
  writer.u16(address.port);
  return writer.take();
}

HandshakeQueue::Digest digest_of(std::span<const std::byte> datagram) {
  const crypto::Digest whole = crypto::blake2b({datagram});
  HandshakeQueue::Digest digest{};
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

}  // namespace

DatagramVerdict SealedLink::handle_hello(DatagramSocket& socket,
                                         std::span<const std::byte> datagram, Address from) {
  if (!options_.is_accepting) return DatagramVerdict::NotAccepting;
  const auto cookie = responder_.answer_hello(datagram, address_bytes(from), io_.now_us());
  if (!cookie) return DatagramVerdict::BadHandshake;
  put(socket, from, *cookie);
  return DatagramVerdict::Handshake;
}

DatagramVerdict SealedLink::handle_auth(DatagramSocket& socket, std::span<const std::byte> datagram,
                                        Address from) {
  if (!options_.is_accepting) return DatagramVerdict::NotAccepting;
  const std::int64_t now_us = io_.now_us();
  if (!responder_.check_cookie(datagram, address_bytes(from), now_us))
    return DatagramVerdict::BadCookie;
  const HandshakeQueue::Digest digest = digest_of(datagram);
  const auto known = exchanges_.find(digest);
  if (known != exchanges_.end()) return repeat_answer(socket, known->second, from);
  if (waiting_.ask_again(digest, now_us)) return DatagramVerdict::Handshake;
  if (!limits_.take_exchange(from.ip, now_us)) return DatagramVerdict::AddressLimit;
  const bool is_seated = waiting_.add({{datagram.begin(), datagram.end()}, digest, from, now_us});
  return is_seated ? DatagramVerdict::Handshake : DatagramVerdict::NoRoom;
}

void SealedLink::make_exchanges(DatagramSocket& socket) {
  if (waiting_.is_empty()) return;
  waiting_.forget_those_gone(io_.now_us());
  Places places = places_by_network();
  std::vector<HandshakeQueue::Entry> go_on_waiting;
  while (!waiting_.is_empty() && go_on_waiting.size() < max_turned_away_at_once &&
         responder_.take_exchange(io_.now_us())) {
    auto next = waiting_.take_next([&](Ip network) { return places[network]; });
    if (!has_room_for(next->from, places)) {
      go_on_waiting.push_back(*std::move(next));
      continue;
    }
    ++places[network_prefix_of(next->from.ip)];
    // The cookie was checked when the AUTH arrived.
    if (const auto auth = secure::decode_auth(next->datagram))
      make_exchange(socket, *auth, next->digest, next->from);
  }
  for (HandshakeQueue::Entry& guest : go_on_waiting)
    (void)waiting_.add(std::move(guest));
}

void SealedLink::make_exchange(DatagramSocket& socket, const secure::Auth& auth,
                               const HandshakeQueue::Digest& digest, Address from) {
  const std::int64_t now_us = io_.now_us();
  auto candidate = responder_.read(auth);
  if (!candidate) {
    ++counters_.handshakes_failed;
    if (options_.security.on_refused)
      options_.security.on_refused({.from = from, .reason = {}, .token = {}});
    // Remember the failure, so that a repeated AUTH costs no further key exchange.
    exchanges_.insert_or_assign(digest, Exchange{.at_us = now_us, .session = 0, .answer = {}});
    return;
  }
  secure::AcceptText text{.admission = judge(*candidate, from)};
  ++admissions_[static_cast<std::size_t>(text.admission)];
  const bool is_in = text.admission == secure::Admission::Accepted;
  if (!is_in && options_.security.on_refused) {
    const auto shown = secure::decode_token(candidate->token);
    options_.security.on_refused({.from = from,
                                  .reason = text.admission,
                                  .token = shown ? std::optional(shown->id) : std::nullopt});
  }
  std::optional<secure::Token> token;
  if (is_in) {
    if (responder_.mode() == secure::AccessMode::Token)
      token = secure::decode_token(candidate->token);
    text.session = free_number();
    text.role = token ? token->role : secure::Role::Player;
    text.client = token ? token->client : 0;
  }
  auto answer = responder_.answer(*candidate, auth, text);
  if (!answer) {
    ++counters_.handshakes_failed;
    return;
  }
  if (is_in) {
    sessions_.emplace(
        text.session,
        Session{.sealer = secure::DatagramEncryptor(answer->keys.from_responder, text.session),
                .opener = secure::DatagramDecryptor(answer->keys.from_initiator),
                .path = PathValidation(from),
                .identity = {.role = text.role,
                             .client = text.client,
                             .key = candidate->client,
                             .token = token ? std::optional(token->id) : std::nullopt,
                             .is_token_reusable = token && token->is_reusable},
                .since_us = now_us,
                .heard_us = now_us,
                .token = token,
                .datagrams = {options_.datagrams_per_second,
                              saved_seconds * options_.datagrams_per_second}});
  }
  put(socket, from, answer->datagram);
  exchanges_.insert_or_assign(
      digest,
      Exchange{.at_us = now_us, .session = text.session, .answer = std::move(answer->datagram)});
}

/// Repeats the answer to an AUTH, because the first answer may have been lost. If the session is
/// already in use, the answer has arrived and the AUTH is a replay.
DatagramVerdict SealedLink::repeat_answer(DatagramSocket& socket, const Exchange& exchange,
                                          Address from) {
  if (exchange.answer.empty()) return DatagramVerdict::BadHandshake;
  if (exchange.session != 0) {
    const auto session = sessions_.find(exchange.session);
    if (session == sessions_.end() || session->second.is_proven) return DatagramVerdict::Replayed;
  }
  put(socket, from, exchange.answer);
  return DatagramVerdict::Handshake;
}

secure::Admission SealedLink::judge(const secure::HandshakeResponder::Candidate& candidate,
                                    Address from) const {
  if (limits_.is_banned(from.ip, io_.now_us())) return secure::Admission::Banned;
  if (responder_.mode() == secure::AccessMode::Token) {
    const secure::Admission shown =
        options_.security.tokens->check(candidate.token, candidate.client, io_.unix_time_s());
    if (shown != secure::Admission::Accepted) return shown;
  }
  return accepted_count() < options_.max_sessions ? secure::Admission::Accepted
                                                  : secure::Admission::ServerFull;
}

std::size_t SealedLink::accepted_count() const {
  return static_cast<std::size_t>(std::count_if(
      sessions_.begin(), sessions_.end(), [](const auto& entry) { return !entry.second.is_ours; }));
}

/// Returns the number of sessions without an ENet peer in each network.
SealedLink::Places SealedLink::places_by_network() const {
  Places places;
  for (const auto& [number, session] : sessions_)
    if (!session.is_kept) ++places[network_prefix_of(session.path.address().ip)];
  return places;
}

/// Returns true if there is a slot for a client without an ENet peer. A remote IPv4 address or IPv6
/// /64 may hold at most half of the slots. If all slots are taken, closes the oldest such session
/// of the network with the most slots, provided that the client's network holds at least two fewer.
bool SealedLink::has_room_for(Address from, Places& places) {
  std::size_t unkept = 0, unkept_here = 0;
  for (const auto& [number, session] : sessions_) {
    if (session.is_kept) continue;
    ++unkept;
    if (subscriber_prefix_of(session.path.address().ip) == subscriber_prefix_of(from.ip))
      ++unkept_here;
  }
  const std::size_t limit_here =
      is_loopback(from) ? options_.max_unkept : (options_.max_unkept + 1) / 2;
  if (unkept < options_.max_unkept) return unkept_here < limit_here;
  const auto most =
      std::max_element(places.begin(), places.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == places.end() || most->second <= places[network_prefix_of(from.ip)] + 1) return false;
  --most->second;
  close_oldest_unkept(most->first);
  return true;
}

void SealedLink::close_oldest_unkept(Ip network) {
  std::optional<std::uint32_t> oldest;
  for (const auto& [number, session] : sessions_) {
    if (session.is_kept || network_prefix_of(session.path.address().ip) != network) continue;
    const auto age_of = [&](std::uint32_t which) {
      return std::pair(sessions_.at(which).since_us, which);
    };
    if (!oldest || age_of(number) < age_of(*oldest)) oldest = number;
  }
  if (oldest) close(*oldest);
}

}  // namespace jostle::net
