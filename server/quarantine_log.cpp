#include "server/quarantine_log.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace jostle::server {

void QuarantineLog::write_new(const sim::Simulation& simulation, Clients& clients) {
  const physics::World& world = simulation.world();
  const std::uint32_t count = world.stats().quarantined_bodies;
  if (count < logged_.size()) logged_.clear();  // another world was loaded
  if (count == logged_.size()) return;
  for (const physics::BodyHandle body : world.bodies()) {
    if (!world.is_quarantined(body)) continue;
    const state::BodyId id = sim::BodyRegistry::id_of(world, body);
    if (std::find(logged_.begin(), logged_.end(), id) != logged_.end()) continue;
    logged_.push_back(id);
    const auto& infos = simulation.world_def().bodies;
    const auto info = std::find_if(infos.begin(), infos.end(),
                                   [&](const state::BodyInfo& entry) { return entry.id == id; });
    clients.log(base::LogLevel::Warn, "body quarantined",
                {{"tick", simulation.tick().number},
                 {"body", id.value},
                 {"name", info == infos.end() ? std::string() : info->name},
                 {"why", "its position or velocity is not finite, or too far from the origin"}});
  }
}

}  // namespace jostle::server
