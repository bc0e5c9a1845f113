#pragma once

#include "shared/record/timed_fault.h"
#include "shared/sim/simulation.h"

#include <utility>
#include <vector>

namespace jostle::server {

/// Injects faults into a simulation, for tests.
class FaultInjector {
 public:
  void set_faults(record::FaultsByTick faults) { faults_ = std::move(faults); }
  /// Injects the faults of the newest tick and returns those that were injected. Logs faults for
  /// which there is no body or field.
  std::vector<record::RecordedFault> inject(sim::Simulation& simulation);

 private:
  record::FaultsByTick faults_;  // faults that are not injected yet
};

}  // namespace jostle::server
