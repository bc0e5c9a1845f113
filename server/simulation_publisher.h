#pragma once

#include "server/clients.h"
#include "server/options.h"
#include "server/simulation_stream.h"
#include "shared/base/duty_cycle_limiter.h"
#include "shared/net/io.h"
#include "shared/sim/simulation.h"

namespace jostle::server {

/// Sends the full simulation state, and afterwards the commands of each tick, to clients that run
/// the simulation themselves.
class SimulationPublisher {
 public:
  SimulationPublisher(net::Io& io, const sim::Simulation& simulation, Clients& clients)
      : io_(io), simulation_(simulation), clients_(clients) {}

  /// Handles a request for the full state, unless one is being sent already. Returns false if less
  /// than simulation_interval_us has passed since the client's last request.
  bool request(ClientSession& session) const;
  /// Sends the commands of a tick.
  void publish_commands(const state::TickCommands& commands);
  /// Sends the full simulation state to every client that requested it. Rate-limited so that
  /// encoding takes at most 2 % of the time.
  void publish_state();

 private:
  void begin(ClientSession& session, const SharedBlob& state);

  net::Io& io_;
  const sim::Simulation& simulation_;
  Clients& clients_;
  SimulationStream stream_;
  base::DutyCycleLimiter encoding_limiter_{simulation_inverse_duty, simulation_interval_us};
};

}  // namespace jostle::server
