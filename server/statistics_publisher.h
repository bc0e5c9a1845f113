#pragma once

#include "server/clients.h"
#include "server/options.h"
#include "server/phases.h"
#include "server/tick_profile.h"
#include "shared/net/io.h"
#include "shared/sim/simulation.h"

#include <cstdint>

namespace jostle::server {

/// Measures the phases of ticks and sends statistics of the server to clients that request them.
class StatisticsPublisher {
 public:
  StatisticsPublisher(net::Io& io, sim::Simulation& simulation, const Options& options,
                      Clients& clients)
      : io_(io), simulation_(simulation), options_(options), clients_(clients) {}

  /// Records the start of a phase.
  void enter(Phase phase) { profile_.enter(phase, io_.now_us()); }
  /// Ends the measurement of a tick and sends statistics if they are due.
  void end_tick();

 private:
  void publish();

  net::Io& io_;
  sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  TickProfile profile_;
  std::uint64_t sent_bytes_ = 0;  // value of Metrics::snapshot_bytes at the last message
};

}  // namespace jostle::server
