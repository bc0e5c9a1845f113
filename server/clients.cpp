#include "server/clients.h"

#include "shared/base/file_name.h"
#include "shared/secure/token.h"

#include <algorithm>
#include <utility>

namespace jostle::server {
namespace {

/// Share of the largest budget of a client that suffices for a message of any length.
constexpr double enough_budget = 0.75;

}  // namespace

ClientSession* Clients::find(net::PeerId peer) {
  const auto found = sessions_.find(peer);
  return found == sessions_.end() ? nullptr : &found->second;
}

Clients::Counts Clients::counts(const net::Ip* subscriber) const {
  Counts counts;
  for (const auto& [peer, session] : sessions_) {
    if (subscriber != nullptr && session.subscriber != *subscriber) continue;
    // A client whose token is being stored holds the place that it is about to take.
    const bool is_waiting = session.waiting_hello.has_value();
    if (session.state == ClientSessionState::AwaitHello && !is_waiting) continue;
    ++counts.members;
    const bool will_play = is_waiting && session.waiting_hello->role == protocol::Role::Player;
    if (will_play || !session.player.is_null()) ++counts.players;
  }
  return counts;
}

bool Clients::send(net::PeerId peer, net::Channel channel, std::span<const std::byte> message) {
  const bool is_sent = transport_.send(peer, channel, message);
  if (!is_sent) ++metrics_.sends_failed;
  if (!is_sent || channel == net::Channel::State) return is_sent;
  ClientSession* const session = find(peer);
  if (session != nullptr && session->state == ClientSessionState::Playing) {
    const auto bytes = static_cast<double>(message.size() + net::unreliable_datagram_bytes);
    session->budget.spend(bytes);
    if (channel == net::Channel::Time) session->budget.rate.note_other(bytes);
  }
  return true;
}

void Clients::send_control(const ClientSession& session, const protocol::ControlMessage& message) {
  send(session.peer, net::Channel::Control, protocol::encode_control(message));
}

void Clients::send_auxiliary(ClientSession& session, std::span<const std::byte> message) {
  session.budget.spend(static_cast<double>(message.size() + net::unreliable_datagram_bytes));
  send(session.peer, net::Channel::State, message);
  metrics_.snapshot_bytes += message.size();
}

void Clients::send_to_players(std::span<const std::byte> message) {
  for (auto& [peer, session] : sessions_) {
    if (session.state != ClientSessionState::Playing) continue;
    // The budget of a narrow link never reaches the size of a long message.
    const double needed =
        std::min(static_cast<double>(message.size()), enough_budget * session.budget.most_bytes);
    if (session.budget.bytes < needed) continue;
    send_auxiliary(session, message);
  }
}

void Clients::reject(const ClientSession& session, protocol::RejectCode code, std::string words,
                     net::DisconnectReason reason) {
  const auto stats = transport_.stats(session.peer);
  const auto identity = transport_.identity(session.peer);
  log(base::LogLevel::Info, "client rejected",
      {{"time", base::utc_stamp(io_.unix_time_s())},
       {"peer", session.peer.value},
       {"address", stats ? net::to_string(stats->address) : "unknown"},
       {"token", identity && identity->token ? secure::to_string(*identity->token) : "none"},
       {"why", words}});
  ++metrics_.sessions_rejected;
  if (ClientSession* const rejected = find(session.peer)) rejected->is_rejected = true;
  send_control(session, protocol::Reject{code, std::move(words)});
  transport_.disconnect(session.peer, reason);
}

}  // namespace jostle::server
