#pragma once

#include "server/clients.h"
#include "server/options.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace jostle::server {

/// Sends the queued blobs of all clients, a few chunks per tick. Rate-limited clients have a budget
/// for blobs.
class BulkSender {
 public:
  BulkSender(net::Io& io, net::Transport& transport, const Options& options, Clients& clients)
      : io_(io), transport_(transport), options_(options), clients_(clients) {}

  /// Sends the chunks of tick `now` to all clients. Call it after the snapshots of this tick.
  void send(state::Tick now);

 private:
  void send_to(ClientSession& session);
  std::size_t note_acknowledged(ClientSession& session) const;
  std::optional<double> joining_round_trip_us(const ClientSession& session) const;
  static void adapt_window(ClientSession& session, double acknowledged, std::int64_t now_us);
  static bool must_wait(const ClientSession& session);
  bool waits_for_snapshot(const ClientSession& session) const;
  static bool can_wait(const ClientSession& session);
  static std::size_t chunk_bytes(const ClientSession& session);
  void refill_budget(ClientSession& session) const;

  net::Io& io_;
  net::Transport& transport_;
  const Options& options_;
  Clients& clients_;
  state::Tick now_;
};

}  // namespace jostle::server
