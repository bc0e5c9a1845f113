#include "shared/net/sealed_link.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"
#include "shared/crypto/blake2b.h"

#include <algorithm>
#include <utility>

namespace jostle::net {
namespace {

/// As long as a cookie may be good.
constexpr std::int64_t exchange_memory_us = 30'000'000;
constexpr std::int64_t forgetting_interval_us = 100'000;
constexpr double saved_seconds = 2;
/// Of those who wait, so many are looked at in vain before the others wait, too.
constexpr std::size_t max_turned_away_at_once = 16;

std::vector<std::byte> address_bytes(Address address) {
  base::ByteWriter writer;
  for (const std::uint8_t byte : address.ip.bytes())
    writer.u8(byte);
  writer.u32(address.ip.scope());
  writer.u16(address.port);
  return writer.take();
}

WaitingRoom::Digest digest_of(std::span<const std::byte> datagram) {
  const crypto::Digest whole = crypto::blake2b({datagram});
  WaitingRoom::Digest digest{};
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

secure::GateOptions gate_options(const SecurityOptions& security,
                                 const crypto::FillRandom& fill_random) {
  return {.mode = security.mode,
          .key = security.key ? *security.key : crypto::key_pair(fill_random),
          .psk = security.mode == secure::AccessMode::SharedKey ? security.psk : std::nullopt};
}

/// Of one who connects.
crypto::KeyPair own_key(const SealedLink::Options& options, const crypto::FillRandom& fill_random) {
  const bool is_given = !options.is_accepting && options.security.key;
  return is_given ? *options.security.key : crypto::key_pair(fill_random);
}

}  // namespace

SealedLink::SealedLink(Io& io, TransportCounters& counters, const Options& options)
    : io_(io),
      counters_(counters),
      options_(options),
      fill_random_([&io](std::span<std::byte> bytes) { io.fill_random(bytes); }),
      own_(own_key(options, fill_random_)),
      gate_(gate_options(options.security, fill_random_), fill_random_),
      limits_(options.limits) {}

void SealedLink::put(DatagramSocket& socket, Address to, std::span<const std::byte> datagram) {
  if (!socket.queue(to, datagram)) {
    ++counters_.datagrams_not_taken;
    return;
  }
  ++counters_.datagrams_sent;
  counters_.bytes_sent += datagram.size();
  counters_.sent.add_handshake(datagram.size());
}

bool SealedLink::send(DatagramSocket& socket, std::uint32_t number,
                      std::span<const std::byte> enet_bytes) {
  JOSTLE_ASSERT(enet_bytes.size() <= enet_mtu_bytes);
  const auto found = sessions_.find(number);
  if (found == sessions_.end()) return false;
  std::array<std::byte, enet_mtu_bytes + secure::sealed_overhead_bytes> buffer;
  const auto datagram = std::span(buffer).first(enet_bytes.size() + secure::sealed_overhead_bytes);
  std::copy(enet_bytes.begin(), enet_bytes.end(), buffer.begin() + secure::sealed_head_bytes);
  found->second.sealer.seal(datagram);
  return socket.queue(found->second.address, datagram);
}

SealedLink::Taken SealedLink::take(DatagramSocket& socket, std::span<std::byte> datagram,
                                   Address from) {
  if (const auto number = secure::session_of(datagram)) return take_sealed(*number, datagram, from);
  if (datagram.empty()) return {.verdict = DatagramVerdict::NotSealed};
  switch (static_cast<secure::DatagramType>(datagram[0])) {
    case secure::DatagramType::Hello:
      return {.verdict = take_hello(socket, datagram, from)};
    case secure::DatagramType::Auth:
      return {.verdict = take_auth(socket, datagram, from)};
    case secure::DatagramType::Cookie:
    case secure::DatagramType::Accept:
      return {.verdict = take_answer(datagram)};
    case secure::DatagramType::Sealed:
      break;
  }
  return {.verdict = DatagramVerdict::NotSealed};
}

SealedLink::Taken SealedLink::take_sealed(std::uint32_t number, std::span<std::byte> datagram,
                                          Address from) {
  const auto found = sessions_.find(number);
  if (found == sessions_.end()) return {.verdict = DatagramVerdict::UnknownSession};
  Session& session = found->second;
  const secure::Opener::Opened opened = session.opener.open(datagram);
  switch (opened.verdict) {
    case secure::Opener::Verdict::Forged:
      return {.verdict = DatagramVerdict::Forged};
    case secure::Opener::Verdict::Replayed:
      return {.verdict = DatagramVerdict::Replayed};
    case secure::Opener::Verdict::Opened:
      break;
  }
  if (!prove(number, session)) return {.verdict = DatagramVerdict::UnknownSession};
  session.heard_us = io_.now_us();
  if (opened.is_newest && !session.is_ours) session.address = from;
  if (!session.is_ours && !session.datagrams.take(io_.now_us()))
    return {.verdict = DatagramVerdict::OverBudget};
  return {.verdict = DatagramVerdict::Accepted, .session = number, .bytes = opened.text};
}

/// The owner has shown that he has the keys: from now on his token is used. False when another
/// client was faster with it.
bool SealedLink::prove(std::uint32_t number, Session& session) {
  if (session.is_proven) return true;
  session.is_proven = true;
  if (!session.token) return true;
  const secure::Token token = *session.token;
  if (!options_.security.tokens->use(token, session.identity.key, io_.unix_time_s())) {
    session.token.reset();
    close(number);
    return false;
  }
  if (token.is_reusable) return true;
  // One session at a time: this one goes on for those before it.
  std::vector<std::uint32_t> earlier;
  for (const auto& [other, standing] : sessions_)
    if (other != number && standing.is_proven && standing.token && standing.token->id == token.id)
      earlier.push_back(other);
  for (const std::uint32_t other : earlier) {
    superseded_.push_back(other);
    close(other);
  }
  return true;
}

DatagramVerdict SealedLink::take_hello(DatagramSocket& socket, std::span<const std::byte> datagram,
                                       Address from) {
  if (!options_.is_accepting) return DatagramVerdict::NotAccepting;
  const auto cookie = gate_.answer_hello(datagram, address_bytes(from), io_.now_us());
  if (!cookie) return DatagramVerdict::BadHandshake;
  put(socket, from, *cookie);
  return DatagramVerdict::Handshake;
}

DatagramVerdict SealedLink::take_auth(DatagramSocket& socket, std::span<const std::byte> datagram,
                                      Address from) {
  if (!options_.is_accepting) return DatagramVerdict::NotAccepting;
  const std::int64_t now_us = io_.now_us();
  if (!gate_.check_cookie(datagram, address_bytes(from), now_us)) return DatagramVerdict::BadCookie;
  const WaitingRoom::Digest digest = digest_of(datagram);
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
  std::vector<WaitingRoom::Guest> go_on_waiting;
  while (!waiting_.is_empty() && go_on_waiting.size() < max_turned_away_at_once &&
         gate_.take_exchange(io_.now_us())) {
    auto next = waiting_.take_next([&](Ip network) { return places[network]; });
    if (!has_room_for(next->from, places)) {
      go_on_waiting.push_back(*std::move(next));
      continue;
    }
    ++places[wide_network_of(next->from.ip)];
    // The cookie was checked when it came.
    if (const auto auth = secure::decode_auth(next->datagram))
      make_exchange(socket, *auth, next->digest, next->from);
  }
  for (WaitingRoom::Guest& guest : go_on_waiting)
    (void)waiting_.add(std::move(guest));
}

void SealedLink::make_exchange(DatagramSocket& socket, const secure::Auth& auth,
                               const WaitingRoom::Digest& digest, Address from) {
  const std::int64_t now_us = io_.now_us();
  auto candidate = gate_.read(auth);
  if (!candidate) {
    ++counters_.handshakes_failed;
    // Who repeats it costs nobody anything more.
    exchanges_.insert_or_assign(digest, Exchange{.at_us = now_us, .session = 0, .answer = {}});
    return;
  }
  secure::AcceptText text{.admission = judge(*candidate, from)};
  ++admissions_[static_cast<std::size_t>(text.admission)];
  const bool is_in = text.admission == secure::Admission::Accepted;
  std::optional<secure::Token> token;
  if (is_in) {
    if (gate_.mode() == secure::AccessMode::Token) token = secure::decode_token(candidate->token);
    text.session = free_number();
    text.role = token ? token->role : secure::Role::Player;
    text.client = token ? token->client : 0;
  }
  auto answer = gate_.answer(*candidate, auth, text);
  if (!answer) {
    ++counters_.handshakes_failed;
    return;
  }
  if (is_in) {
    sessions_.emplace(
        text.session,
        Session{.sealer = secure::Sealer(answer->keys.from_responder, text.session),
                .opener = secure::Opener(answer->keys.from_initiator),
                .address = from,
                .shown_address = from,
                .identity = {.role = text.role, .client = text.client, .key = candidate->client},
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

/// Its answer may have been lost. A session that is in use needs none: then somebody replays.
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

secure::Admission SealedLink::judge(const secure::Gate::Candidate& candidate, Address from) const {
  if (limits_.is_banned(from.ip, io_.now_us())) return secure::Admission::Banned;
  if (gate_.mode() == secure::AccessMode::Token) {
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

/// Sessions that have no peer yet.
SealedLink::Places SealedLink::places_by_network() const {
  Places places;
  for (const auto& [number, session] : sessions_)
    if (!session.is_kept) ++places[wide_network_of(session.address.ip)];
  return places;
}

/// A place among those who have no peer yet. One address elsewhere has half of them at most; where
/// all are taken, the network with the most gives one up to one that has fewer.
bool SealedLink::has_room_for(Address from, Places& places) {
  std::size_t unkept = 0, unkept_here = 0;
  for (const auto& [number, session] : sessions_) {
    if (session.is_kept) continue;
    ++unkept;
    if (one_owner_of(session.address.ip) == one_owner_of(from.ip)) ++unkept_here;
  }
  const std::size_t limit_here =
      is_loopback(from) ? options_.max_unproven : (options_.max_unproven + 1) / 2;
  if (unkept < options_.max_unproven) return unkept_here < limit_here;
  const auto most =
      std::max_element(places.begin(), places.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == places.end() || most->second <= places[wide_network_of(from.ip)] + 1) return false;
  --most->second;
  close_oldest_unkept(most->first);
  return true;
}

void SealedLink::close_oldest_unkept(Ip network) {
  std::optional<std::uint32_t> oldest;
  for (const auto& [number, session] : sessions_) {
    if (session.is_kept || wide_network_of(session.address.ip) != network) continue;
    const auto age_of = [&](std::uint32_t which) {
      return std::pair(sessions_.at(which).since_us, which);
    };
    if (!oldest || age_of(number) < age_of(*oldest)) oldest = number;
  }
  if (oldest) close(*oldest);
}

std::uint32_t SealedLink::free_number() {
  for (;;) {
    std::array<std::byte, 4> random{};
    fill_random_(random);
    const std::uint32_t number = base::ByteReader(random).u32();
    // ENet takes the last one for a broadcast.
    if (number != 0 && number != UINT32_MAX && !sessions_.contains(number)) return number;
  }
}

DatagramVerdict SealedLink::take_answer(std::span<const std::byte> datagram) {
  for (auto dial = dials_.begin(); dial != dials_.end(); ++dial) {
    const secure::Dialer::State before = dial->dialer->state();
    dial->dialer->take(datagram, io_.now_us());
    const secure::Dialer::State after = dial->dialer->state();
    if (after == before) continue;
    if (after == secure::Dialer::State::Refused) {
      outcomes_.push_back({.dial = dial->id, .words = dial->dialer->words()});
      dials_.erase(dial);
    } else if (after == secure::Dialer::State::Admitted) {
      const secure::Dialer::Session& admitted = dial->dialer->session();
      // Another server has given the same number, by chance: a new handshake brings a new one.
      if (sessions_.contains(admitted.number)) {
        dial->dialer = std::make_unique<secure::Dialer>(dial->dialer->options(), fill_random_);
        return DatagramVerdict::Handshake;
      }
      begin_session(admitted, dial->to);
      outcomes_.push_back({.dial = dial->id, .session = admitted.number});
      dials_.erase(dial);
    }
    return DatagramVerdict::Handshake;
  }
  return DatagramVerdict::Unexpected;
}

void SealedLink::begin_session(const secure::Dialer::Session& admitted, Address to) {
  sessions_.emplace(
      admitted.number,
      Session{
          .sealer = secure::Sealer(admitted.keys.from_initiator, admitted.number),
          .opener = secure::Opener(admitted.keys.from_responder),
          .address = to,
          .identity = {.role = admitted.role, .client = admitted.client, .key = admitted.server},
          .is_ours = true,
          .is_proven = true,
          .is_kept = true,
          .since_us = io_.now_us(),
          .datagrams = {1, 1}});
}

std::uint32_t SealedLink::dial(Address to) {
  const SecurityOptions& security = options_.security;
  const secure::DialOptions options{.own = own_,
                                    .server = security.server,
                                    .server_source = security.server_source,
                                    .psk = security.psk,
                                    .token = security.token};
  dials_.push_back({.id = ++last_dial_,
                    .to = to,
                    .dialer = std::make_unique<secure::Dialer>(options, fill_random_)});
  return last_dial_;
}

std::string SealedLink::trouble_with(std::uint32_t dial) const {
  for (const Dial& one : dials_)
    if (one.id == dial) return one.dialer->words();
  return {};
}

void SealedLink::hang_up(std::uint32_t dial) {
  std::erase_if(dials_, [dial](const Dial& one) { return one.id == dial; });
  std::erase_if(outcomes_, [dial](const Outcome& one) { return one.dial == dial; });
}

std::vector<SealedLink::Outcome> SealedLink::take_outcomes() {
  return std::exchange(outcomes_, {});
}

void SealedLink::advance(DatagramSocket& socket) {
  const std::int64_t now_us = io_.now_us();
  for (const Dial& dial : dials_) {
    while (const auto datagram = dial.dialer->next_datagram(now_us))
      put(socket, dial.to, *datagram);
    if (dial.dialer->state() == secure::Dialer::State::Refused)
      outcomes_.push_back({.dial = dial.id, .words = dial.dialer->words()});
  }
  std::erase_if(dials_, [](const Dial& dial) {
    return dial.dialer->state() == secure::Dialer::State::Refused;
  });
  make_exchanges(socket);
  if (now_us - last_forgetting_us_ >= forgetting_interval_us) forget_old(now_us);
}

void SealedLink::forget_old(std::int64_t now_us) {
  last_forgetting_us_ = now_us;
  std::vector<std::uint32_t> unkept;
  for (const auto& [number, session] : sessions_) {
    const bool is_over = now_us - session.heard_us >= options_.unkept_silence_us ||
                         now_us - session.since_us >= options_.unkept_us;
    if (!session.is_kept && is_over) unkept.push_back(number);
  }
  for (const std::uint32_t number : unkept)
    close(number);
  std::erase_if(exchanges_, [now_us](const auto& entry) {
    return now_us - entry.second.at_us >= exchange_memory_us;
  });
  if (options_.security.tokens != nullptr)
    options_.security.tokens->forget_expired(io_.unix_time_s());
}

void SealedLink::keep(std::uint32_t number) {
  const auto found = sessions_.find(number);
  if (found != sessions_.end()) found->second.is_kept = true;
}

void SealedLink::close(std::uint32_t number) {
  const auto found = sessions_.find(number);
  if (found == sessions_.end()) return;
  const Session& session = found->second;
  if (session.token && session.is_proven && !session.token->is_reusable)
    options_.security.tokens->leave(session.token->id, io_.unix_time_s());
  sessions_.erase(found);
}

const Address* SealedLink::address_of(std::uint32_t number) const {
  const auto found = sessions_.find(number);
  return found == sessions_.end() ? nullptr : &found->second.address;
}

std::optional<Ip> SealedLink::shown_ip_of(std::uint32_t number) const {
  const auto found = sessions_.find(number);
  return found == sessions_.end() ? std::nullopt : std::optional(found->second.shown_address.ip);
}

const PeerIdentity* SealedLink::identity_of(std::uint32_t number) const {
  const auto found = sessions_.find(number);
  return found == sessions_.end() ? nullptr : &found->second.identity;
}

bool SealedLink::is_revoked(std::uint32_t number) const {
  const auto found = sessions_.find(number);
  return found != sessions_.end() && found->second.token &&
         options_.security.tokens->is_revoked(found->second.token->id);
}

std::vector<std::uint32_t> SealedLink::take_superseded() {
  return std::exchange(superseded_, {});
}

void SealedLink::ban(Ip address, std::int64_t duration_us) {
  limits_.ban(address, io_.now_us() + duration_us);
}

}  // namespace jostle::net
