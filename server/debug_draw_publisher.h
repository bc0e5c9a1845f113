#pragma once

#include "protocol/messages.h"
#include "server/clients.h"
#include "server/options.h"
#include "shared/base/duty_cycle_limiter.h"
#include "shared/net/io.h"
#include "shared/sim/simulation.h"

namespace jostle::server {

/// Sends debug draw frames, and reports on single bodies, to clients that request them.
class DebugDrawPublisher {
 public:
  DebugDrawPublisher(net::Io& io, const sim::Simulation& simulation, const Options& options,
                     Clients& clients)
      : io_(io), simulation_(simulation), options_(options), clients_(clients) {}

  /// Handles a client's request, which replaces its earlier one.
  void request(InspectionSubscription& client, const protocol::InspectRequest& request) const;
  /// Makes a debug draw frame if one is due, and sends the next parts of frames to all clients.
  void publish_frames();
  /// Sends a report on one body to the client that has waited longest. At most one report per tick.
  void publish_report();

 private:
  void make_frame();
  void send_parts(ClientSession& session);

  net::Io& io_;
  const sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  base::DutyCycleLimiter frame_limiter_{debug_draw_inverse_duty};
};

}  // namespace jostle::server
