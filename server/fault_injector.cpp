#include "server/fault_injector.h"

#include "shared/base/log.h"

namespace jostle::server {

std::vector<record::RecordedFault> FaultInjector::inject(sim::Simulation& simulation) {
  std::vector<record::RecordedFault> injected;
  const auto found = faults_.find(simulation.tick());
  if (found == faults_.end()) return injected;
  for (const record::RecordedFault& fault : found->second) {
    if (simulation.flip_lowest_bit(fault.body, fault.field)) {
      injected.push_back(fault);
    } else {
      base::warn("no fault injected", {{"tick", simulation.tick().number},
                                       {"reason", record::why_not_injected(simulation, fault)}});
    }
  }
  faults_.erase(found);
  return injected;
}

}  // namespace jostle::server
