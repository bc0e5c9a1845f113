#pragma once

#include "protocol/messages.h"
#include "server/clients.h"
#include "server/options.h"
#include "shared/journal/journal.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace jostle::server {

/// Answers the time requests with which clients synchronise their clocks, and announces ticks that
/// the server has skipped.
class TimeResponder {
 public:
  TimeResponder(net::Io& io, net::Transport& transport, const Options& options, Clients& clients)
      : io_(io),
        transport_(transport),
        tick_us_(1'000'000 / options.tick_rate_hz),
        clients_(clients) {}

  /// Call it before the messages of an iteration are received. If the server has just stood still,
  /// the time requests of this iteration are not answered: they have waited for an unknown time.
  void begin_receive(bool has_stood_still) { has_stood_still_ = has_stood_still; }
  /// Sets the newest simulated tick and its due time, which the answers contain. If the server has
  /// skipped ticks, announces the due time to all clients, with this tick and the next two.
  void set_tick(state::Tick tick, std::int64_t due_us);
  /// Sets the journal whose newest durable tick the answers contain, which must outlive this
  /// object.
  void set_journal(const journal::Journal* journal) { journal_ = journal; }
  /// Queues the answer to a TimePing. Returns false if the message is invalid.
  bool receive(net::PeerId peer, std::span<const std::byte> bytes);
  /// Sends all queued answers together, because each flush of the transport visits every peer.
  void send();

 private:
  net::Io& io_;
  net::Transport& transport_;
  std::int64_t tick_us_;
  Clients& clients_;
  state::Tick tick_;
  std::int64_t due_us_ = 0;
  int announcements_left_ = 0;
  const journal::Journal* journal_ = nullptr;
  bool has_stood_still_ = false;
  std::vector<std::pair<net::PeerId, protocol::TimePong>> pongs_;
};

}  // namespace jostle::server
