// Clients of a simulation that do not keep to the rules.
#include "client/client.h"
#include "shared/secure/sealed_datagram.h"
#include "tools/simulate/progress.h"

#include <iterator>
#include <utility>

namespace jostle::simulate {
namespace {

constexpr std::size_t most_recorded = 512;
constexpr double latest_refusal_part = 0.5;  // of a run
constexpr double thief_s = 4;                // time after which a thief gives up

}  // namespace

void Run::act_as_strangers() {
  if (!has(HostileClients)) return;
  if (!is_down_) harass();
  replay();
  if (!uses_tokens_) return;
  if (strikes(HostileClients, 20)) steal_token();
  visit();
}

/// A client that sends random messages, and connects again when it was dropped.
void Run::harass() {
  constexpr std::uint32_t ip = 0x0a000a0a;
  if (hostile_ == nullptr) {
    net::EnetOptions options;
    options.bind = net::Address{ip, 0};
    options.is_insecure_bind_allowed = true;
    options.is_accepting = false;
    options.max_peers = 1;
    hostile_ = *net::EnetTransport::create(match_.network().node(ip), options);
  }
  std::vector<net::PeerEvent> events;
  hostile_->service(events);
  for (const net::PeerEvent& event : events) {
    if (event.kind == net::PeerEvent::Kind::Connected) hostile_peer_ = event.peer;
    if (event.kind == net::PeerEvent::Kind::Disconnected) is_hostile_connecting_ = false;
  }
  if (!std::exchange(is_hostile_connecting_, true))
    (void)hostile_->connect(match_.server_transport().local_address());
  if (hostile_peer_.value == 0) return;
  std::vector<std::byte> message(1 + random_of(HostileClients).next() % 200);
  for (std::byte& byte : message)
    byte = static_cast<std::byte>(random_of(HostileClients).next());
  (void)hostile_->send(hostile_peer_,
                       static_cast<net::Channel>(random_of(HostileClients).next() % 4), message);
}

void Run::record(const net::Datagram& datagram) {
  const bool is_to_server = datagram.to.ip == net::Ip(match::server_ip);
  const bool is_sealed = secure::session_of(datagram.bytes).has_value();
  if (is_to_server && is_sealed) ++sealed_sent_;
  if (!has(HostileClients)) return;
  // An attacker in the network sees a part of the datagrams.
  if (strikes(HostileClients, 4)) return;
  recorded_.push_back(datagram);
  if (recorded_.size() > most_recorded) recorded_.pop_front();
}

/// Sends recorded datagrams again, from their own or from another address.
void Run::replay() {
  if (recorded_.empty()) return;
  for (std::uint64_t i = random_of(HostileClients).next() % 4; i > 0; --i) {
    net::Datagram datagram = recorded_[random_of(HostileClients).next() % recorded_.size()];
    if (strikes(HostileClients, 4)) datagram.from = {net::Ip(attacker_ip), 4'000};
    match_.network().inject(datagram);
  }
}

/// Tries to enter with the token of a client that was welcomed before.
void Run::steal_token() {
  if (thief_) {
    if (now_s() < thief_ends_s_) return;
    match_.kill_client(*thief_);
    thief_.reset();
    return;
  }
  const auto victim =
      std::next(users_.begin(),
                static_cast<std::ptrdiff_t>(random_of(HostileClients).next() % users_.size()));
  const std::vector<std::byte>& token = victim->second.token;
  if (!welcomed_.contains(secure::decode_token(token)->id) || match_.seats().size() > most_seats)
    return;
  thief_ = match_.seats().size();
  thief_ends_s_ = now_s() + thief_s;
  gone_.insert(*thief_);
  match_.add_client("thief", protocol::Role::Player, {.interval_us = 33'333}, {.token = token},
                    attacker_ip);
}

/// Asks to play with a token for spectators, once.
void Run::visit() {
  if (visitor_) {
    const auto& client = match_.seats()[*visitor_]->client;
    if (client == nullptr || client->status().state != client::ClientState::Failed) return;
    // The server keeps the token for this key until it has noticed that the visitor is gone.
    was_visitor_refused_ = client->status().failure == client::Failure::NotAllowed &&
                           now_s() < latest_refusal_part * options_.seconds;
    return match_.kill_client(*visitor_);
  }
  if (now_s() < 2) return;
  visitor_ = match_.seats().size();
  gone_.insert(*visitor_);
  visitor_token_ = new_token(secure::Role::Spectator);
  match_.add_client("visitor", protocol::Role::Player, {.interval_us = 33'333},
                    {.token = visitor_token_}, attacker_ip);
}

/// The visitor that was refused returns as a spectator, with a new key: it must find its token
/// unspent.
void Run::return_visitor() {
  if (thief_) match_.kill_client(*thief_);
  if (!visitor_) return;
  match_.kill_client(*visitor_);
  if (!was_visitor_refused_) return;
  match::Seat& seat = match_.add_client("visitor again", protocol::Role::Spectator,
                                        {.interval_us = 33'333}, {.token = visitor_token_});
  seat.on_update = [&seat] {
    if (seat.client->status().state == client::ClientState::Failed) seat.client->try_again();
  };
}

}  // namespace jostle::simulate
