#pragma once

#include "protocol/control_codec.h"
#include "server/client_session.h"
#include "server/metrics.h"
#include "server/rate_limited_log.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::server {

using ClientSessions = std::map<net::PeerId, ClientSession>;

/// The sessions of all connections, and functions that send messages to them. Counts failed sends,
/// rejected clients and the bytes of auxiliary messages in Metrics, and logs events of clients.
class Clients {
 public:
  /// All arguments must outlive this object.
  Clients(net::Io& io, net::Transport& transport, Metrics& metrics)
      : io_(io), transport_(transport), metrics_(metrics) {}

  const ClientSessions& sessions() const { return sessions_; }
  ClientSessions& sessions() { return sessions_; }
  ClientSessions::iterator begin() { return sessions_.begin(); }
  ClientSessions::iterator end() { return sessions_.end(); }
  /// Returns the session of a peer; null if there is none.
  ClientSession* find(net::PeerId peer);
  template <typename Condition>
  bool has_any(Condition&& condition) const {
    return std::any_of(sessions_.begin(), sessions_.end(),
                       [&](const auto& entry) { return condition(entry.second); });
  }

  struct Counts {
    std::size_t players = 0;
    std::size_t members = 0;  // players and spectators after their Hello
  };
  /// Counts the clients that have a place. With `subscriber`, counts only those of that address.
  Counts counts(const net::Ip* subscriber = nullptr) const;

  /// Sends a message. If the transport rejects the message, returns false and increments
  /// Metrics::sends_failed. Subtracts the bytes, with headers, from the budget of a client that
  /// plays, except on the State channel, whose senders do so themselves.
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> message);
  void send_control(const ClientSession& session, const protocol::ControlMessage& message);
  /// Sends a message on the State channel. Subtracts its bytes, with headers, from the client's
  /// budget, and adds its size to Metrics::snapshot_bytes.
  void send_auxiliary(ClientSession& session, std::span<const std::byte> message);
  /// Sends a message on the State channel to all clients that are playing. Leaves out clients whose
  /// budget is smaller than the message, because snapshots have priority on slow links.
  void send_to_players(std::span<const std::byte> message);
  /// Sends the client the reason of its rejection and disconnects the client.
  void reject(const ClientSession& session, protocol::RejectCode code, std::string words,
              net::DisconnectReason reason);

  void log(base::LogLevel level, std::string_view event,
           std::initializer_list<base::LogField> fields) {
    log_.write(io_.now_us(), level, event, fields);
  }
  Metrics& metrics() { return metrics_; }

 private:
  net::Io& io_;
  net::Transport& transport_;
  Metrics& metrics_;
  RateLimitedLog log_;
  ClientSessions sessions_;
};

}  // namespace jostle::server
