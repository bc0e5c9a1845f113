#include "shared/sim/rules_of.h"

namespace jostle::sim {

std::vector<std::unique_ptr<Rule>> new_rules(const Simulation& simulation) {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.reserve(simulation.rules().size());
  for (const auto& rule : simulation.rules())
    rules.push_back(rule->another());
  return rules;
}

state::Labels shown_values(const Simulation& simulation, state::PlayerId player) {
  state::Labels values;
  values.tick = simulation.tick();
  values.world_revision = simulation.world_def().revision;
  for (const auto& rule : simulation.rules()) {
    for (const state::ShownValue& value : rule->values()) {
      if (!value.player.is_null() && value.player != player) continue;
      if (values.lines.size() < state::max_shown_values) values.lines.push_back(value.label);
    }
  }
  return values;
}

}  // namespace jostle::sim
