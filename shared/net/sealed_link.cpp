#include "shared/net/sealed_link.h"

#include "shared/base/assert.h"
#include "shared/base/bytes.h"

#include <algorithm>
#include <utility>

namespace jostle::net {
namespace {

/// Time for which answers to AUTHs are remembered: the longest validity of a cookie.
constexpr std::int64_t exchange_memory_us = 30'000'000;
constexpr std::int64_t forgetting_interval_us = 100'000;
/// Rate limit of the hints about unknown sessions, for all addresses together.
constexpr double hints_per_second = 200;
/// Time without a datagram of the session after which a hint counts.
constexpr std::int64_t hint_patience_us = 250'000;

secure::ResponderOptions responder_options(const SecurityOptions& security,
                                           const crypto::FillRandom& fill_random) {
  return {.mode = security.mode,
          .key = security.key ? *security.key : crypto::key_pair(fill_random),
          .psk = security.mode == secure::AccessMode::SharedKey ? security.psk : std::nullopt};
}

/// Returns the key pair for outgoing connections: the given one for a client, otherwise a new one.
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
      responder_(responder_options(options.security, fill_random_), fill_random_),
      limits_(options.limits),
      hints_(hints_per_second, hints_per_second) {}

void SealedLink::put(DatagramSocket& socket, Address to, std::span<const std::byte> datagram) {
  if (!socket.queue(to, datagram)) {
    ++counters_.send_failures;
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
  Session& session = found->second;
  // A datagram beyond the budget of an unproved path counts as lost.
  if (!session.path.take_credit(enet_bytes.size() + secure::sealed_overhead_bytes)) return true;
  return seal_and_queue(socket, session, enet_bytes);
}

bool SealedLink::seal_and_queue(DatagramSocket& socket, Session& session,
                                std::span<const std::byte> text) {
  std::array<std::byte, enet_mtu_bytes + secure::sealed_overhead_bytes> buffer;
  const auto datagram = std::span(buffer).first(text.size() + secure::sealed_overhead_bytes);
  std::copy(text.begin(), text.end(), buffer.begin() + secure::sealed_head_bytes);
  session.sealer.seal(datagram);
  return socket.queue(session.path.address(), datagram);
}

SealedLink::Taken SealedLink::take(DatagramSocket& socket, std::span<std::byte> datagram,
                                   Address from) {
  if (const auto number = secure::session_of(datagram))
    return handle_sealed(socket, *number, datagram, from);
  if (datagram.empty()) return {.verdict = DatagramVerdict::NotSealed};
  switch (static_cast<secure::DatagramType>(datagram[0])) {
    case secure::DatagramType::Hello:
      return {.verdict = handle_hello(socket, datagram, from)};
    case secure::DatagramType::Auth:
      return {.verdict = handle_auth(socket, datagram, from)};
    case secure::DatagramType::Cookie:
    case secure::DatagramType::Accept:
      return {.verdict = handle_answer(datagram)};
    case secure::DatagramType::NoSession:
      return {.verdict = handle_hint(datagram, from)};
    case secure::DatagramType::Sealed:
      break;
  }
  return {.verdict = DatagramVerdict::NotSealed};
}

/// Notes the server's hint that it does not know one of our sessions.
DatagramVerdict SealedLink::handle_hint(std::span<const std::byte> datagram, Address from) {
  const auto hint = secure::decode_no_session(datagram);
  const auto found = hint ? sessions_.find(hint->session) : sessions_.end();
  if (found == sessions_.end()) return DatagramVerdict::Unexpected;
  Session& session = found->second;
  const bool is_answer = session.is_ours && from == session.path.address() &&
                         hint->number >= session.number_at_heard &&
                         hint->number < session.sealer.next_number();
  if (!is_answer) return DatagramVerdict::Unexpected;
  if (!session.unknown_since_us) session.unknown_since_us = io_.now_us();
  return DatagramVerdict::Handshake;
}

std::vector<std::uint32_t> SealedLink::take_unknown() {
  std::vector<std::uint32_t> unknown;
  for (auto& [number, session] : sessions_) {
    if (!session.unknown_since_us || io_.now_us() - *session.unknown_since_us < hint_patience_us)
      continue;
    session.unknown_since_us.reset();
    unknown.push_back(number);
  }
  return unknown;
}

SealedLink::Taken SealedLink::handle_sealed(DatagramSocket& socket, std::uint32_t number,
                                            std::span<std::byte> datagram, Address from) {
  const auto found = sessions_.find(number);
  if (found == sessions_.end()) {
    // No answer is larger than a fifth of its request.
    const bool is_long = datagram.size() >= 5 * secure::sealed_head_bytes;
    if (options_.is_accepting && is_long && hints_.take(io_.now_us()))
      put(socket, from, secure::no_session_hint(datagram));
    return {.verdict = DatagramVerdict::UnknownSession};
  }
  Session& session = found->second;
  const secure::DatagramDecryptor::Opened opened = session.opener.open(datagram);
  switch (opened.verdict) {
    case secure::DatagramDecryptor::Verdict::Forged:
      return {.verdict = DatagramVerdict::Forged};
    case secure::DatagramDecryptor::Verdict::Replayed:
      return {.verdict = DatagramVerdict::Replayed};
    case secure::DatagramDecryptor::Verdict::Opened:
      break;
  }
  if (!prove(number, session)) return {.verdict = DatagramVerdict::UnknownSession};
  session.heard_us = io_.now_us();
  session.unknown_since_us.reset();
  session.number_at_heard = session.sealer.next_number();
  if (opened.is_newest && !session.is_ours) {
    const bool is_same = from == session.path.address();
    if (session.path.hear_from(from, datagram.size(), is_same ? 0 : random_number()))
      paths_.push_back(number);
  }
  if (!session.is_ours && !session.datagrams.take(io_.now_us()))
    return {.verdict = DatagramVerdict::OverBudget};
  if (const auto kind = path_text_kind(opened.text)) {
    handle_path_text(number, session, *kind, opened.text, from);
    return {.verdict = DatagramVerdict::Handshake};
  }
  return {.verdict = DatagramVerdict::Accepted, .session = number, .bytes = opened.text};
}

void SealedLink::handle_path_text(std::uint32_t number, Session& session, PathTextKind kind,
                                  std::span<const std::byte> text, Address from) {
  if (kind == PathTextKind::Response) return session.path.handle_answer(text, from);
  if (!session.is_ours) return;
  session.path_answer = answer_to(text);
  paths_.push_back(number);
}

/// Sends the pending challenges and responses of path validations.
void SealedLink::check_paths(DatagramSocket& socket, std::int64_t now_us) {
  std::erase_if(paths_, [&](std::uint32_t number) {
    const auto found = sessions_.find(number);
    if (found == sessions_.end()) return true;
    Session& session = found->second;
    if (const auto answer = std::exchange(session.path_answer, std::nullopt))
      put_sealed(socket, session, *answer);
    if (const auto question = session.path.next_question(now_us))
      put_sealed(socket, session, *question);
    return session.path.is_proven();
  });
}

void SealedLink::put_sealed(DatagramSocket& socket, Session& session,
                            std::span<const std::byte> text) {
  if (!seal_and_queue(socket, session, text)) {
    ++counters_.send_failures;
    return;
  }
  ++counters_.datagrams_sent;
  counters_.bytes_sent += text.size() + secure::sealed_overhead_bytes;
  counters_.sent.add_handshake(text.size() + secure::sealed_overhead_bytes);
}

/// Marks a session as proved when its first datagram was opened, and uses its token. Returns false
/// if the token cannot be used any more: another client has used it, it was revoked, or its use
/// could not be stored. The session is then closed.
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
  // A single-use token has one session at a time: this one replaces the earlier ones.
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

std::uint64_t SealedLink::random_number() {
  std::array<std::byte, 8> random{};
  fill_random_(random);
  return base::ByteReader(random).u64();
}

std::uint32_t SealedLink::free_number() {
  for (;;) {
    const auto number = static_cast<std::uint32_t>(random_number());
    // ENet uses UINT32_MAX as the broadcast address.
    if (number != 0 && number != UINT32_MAX && !sessions_.contains(number)) return number;
  }
}

DatagramVerdict SealedLink::handle_answer(std::span<const std::byte> datagram) {
  for (auto dial = dials_.begin(); dial != dials_.end(); ++dial) {
    const secure::HandshakeInitiator::State before = dial->initiator->state();
    dial->initiator->take(datagram, io_.now_us());
    const secure::HandshakeInitiator::State after = dial->initiator->state();
    if (after == before) continue;
    if (after == secure::HandshakeInitiator::State::Refused) {
      outcomes_.push_back({.dial = dial->id,
                           .refusal = dial->initiator->refusal(),
                           .text = dial->initiator->text()});
      dials_.erase(dial);
    } else if (after == secure::HandshakeInitiator::State::Admitted) {
      const secure::HandshakeInitiator::Session& admitted = dial->initiator->session();
      // Another server has assigned the same session id by chance. Start a new handshake to get
      // another one.
      if (sessions_.contains(admitted.number)) {
        dial->initiator =
            std::make_unique<secure::HandshakeInitiator>(dial->initiator->options(), fill_random_);
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

void SealedLink::begin_session(const secure::HandshakeInitiator::Session& admitted, Address to) {
  sessions_.emplace(
      admitted.number,
      Session{
          .sealer = secure::DatagramEncryptor(admitted.keys.from_initiator, admitted.number),
          .opener = secure::DatagramDecryptor(admitted.keys.from_responder),
          .path = PathValidation(to),
          .identity = {.role = admitted.role, .client = admitted.client, .key = admitted.server},
          .is_ours = true,
          .is_proven = true,
          .is_kept = true,
          .since_us = io_.now_us(),
          .datagrams = {1, 1}});
}

std::uint32_t SealedLink::dial(Address to) {
  const SecurityOptions& security = options_.security;
  const secure::InitiatorOptions options{.own = own_,
                                         .server = security.server,
                                         .server_source = security.server_source,
                                         .psk = security.psk,
                                         .token = security.token,
                                         .names = security.names};
  dials_.push_back(
      {.id = ++last_dial_,
       .to = to,
       .initiator = std::make_unique<secure::HandshakeInitiator>(options, fill_random_)});
  return last_dial_;
}

std::string SealedLink::trouble_with(std::uint32_t dial) const {
  for (const Dial& one : dials_)
    if (one.id == dial) return one.initiator->text();
  return {};
}

bool SealedLink::has_answered(std::uint32_t dial) const {
  return std::any_of(dials_.begin(), dials_.end(), [dial](const Dial& one) {
    return one.id == dial && one.initiator->state() == secure::HandshakeInitiator::State::Proving;
  });
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
    while (const auto datagram = dial.initiator->next_datagram(now_us))
      put(socket, dial.to, *datagram);
    if (dial.initiator->state() == secure::HandshakeInitiator::State::Refused)
      outcomes_.push_back(
          {.dial = dial.id, .refusal = dial.initiator->refusal(), .text = dial.initiator->text()});
  }
  std::erase_if(dials_, [](const Dial& dial) {
    return dial.initiator->state() == secure::HandshakeInitiator::State::Refused;
  });
  check_paths(socket, now_us);
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
  return found == sessions_.end() ? nullptr : &found->second.path.address();
}

std::optional<Ip> SealedLink::shown_ip_of(std::uint32_t number) const {
  const auto found = sessions_.find(number);
  return found == sessions_.end() ? std::nullopt : std::optional(found->second.path.proven().ip);
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
