#pragma once

#include "server/clients.h"
#include "shared/sim/simulation.h"
#include "shared/state/ids.h"

#include <vector>

namespace jostle::server {

/// Logs bodies that the engine has quarantined because their motion became infinite or NaN. A
/// quarantined body stays at its last pose and no longer takes part in the simulation.
class QuarantineLog {
 public:
  /// Logs the bodies that were quarantined since the last call. `clients` limits the log's rate.
  void write_new(const sim::Simulation& simulation, Clients& clients);

 private:
  std::vector<state::BodyId> logged_;
};

}  // namespace jostle::server
