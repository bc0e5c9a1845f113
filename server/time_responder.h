#pragma once

#include "protocol/messages.h"
#include "server/clients.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace jostle::server {

/// Answers the time requests with which clients synchronise their clocks.
class TimeResponder {
 public:
  TimeResponder(net::Io& io, net::Transport& transport, Clients& clients)
      : io_(io), transport_(transport), clients_(clients) {}

  /// Sets the newest simulated tick and its due time, which the answers contain.
  void set_tick(state::Tick tick, std::int64_t due_us) {
    tick_ = tick;
    due_us_ = due_us;
  }
  /// Queues the answer to a TimePing. Returns false if the message is invalid.
  bool receive(net::PeerId peer, std::span<const std::byte> bytes);
  /// Sends all queued answers together, because each flush of the transport visits every peer.
  void send();

 private:
  net::Io& io_;
  net::Transport& transport_;
  Clients& clients_;
  state::Tick tick_;
  std::int64_t due_us_ = 0;
  std::vector<std::pair<net::PeerId, protocol::TimePong>> pongs_;
};

}  // namespace jostle::server
