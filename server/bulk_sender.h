#pragma once

#include "server/clients.h"
#include "server/options.h"
#include "shared/net/transport.h"

namespace jostle::server {

/// Sends the queued blobs of all clients, a few chunks per tick. Rate-limited clients have a budget
/// for blobs.
class BulkSender {
 public:
  BulkSender(net::Transport& transport, const Options& options, Clients& clients)
      : transport_(transport), options_(options), clients_(clients) {}

  /// Sends the chunks of a tick to all clients.
  void send();

 private:
  void send_to(ClientSession& session);
  void refill_budget(ClientSession& session) const;

  net::Transport& transport_;
  const Options& options_;
  Clients& clients_;
};

}  // namespace jostle::server
