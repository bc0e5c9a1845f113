#include "shared/record/replay.h"

#include "shared/base/bytes.h"
#include "shared/scene/scene.h"

#include <string>
#include <string_view>
#include <utility>

namespace jostle::record {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Restores a saved state. Returns false if it is invalid or followed by other bytes.
bool restore_whole(const std::vector<std::byte>& saved, sim::Simulation& simulation) {
  base::ByteReader state(saved);
  return simulation.restore(state).has_value() && state.at_end();
}

/// Returns true if the block's first tick is the next one of the simulation.
bool is_before(const RecordedBlock& block, const sim::Simulation& simulation) {
  return !block.ticks.empty() && block.ticks.front().commands.tick == simulation.tick() + 1;
}

}  // namespace

std::vector<std::string> rule_names(const std::vector<std::unique_ptr<sim::Rule>>& rules) {
  std::vector<std::string> names;
  names.reserve(rules.size());
  for (const auto& rule : rules)
    names.emplace_back(rule->name());
  return names;
}

base::Result<std::unique_ptr<sim::Simulation>, std::string> start_replay(
    const Recording& recording, const sim::RuleFactory& make_rules) {
  const RecordingHeader& header = recording.header;
  auto scene = scene::parse_scene(header.scene_text, header.scene_file);
  if (!scene) return "this build rejects the recorded scene: " + scene.error().text();
  if (scene::hash(*scene) != header.scene_hash) {
    return std::string(
               "this build interprets the recorded scene differently than the build that "
               "recorded it (") +
           header.program + ")";
  }
  auto rules = make_rules();
  if (rule_names(rules) != header.rules) {
    return "the run was recorded with the rules " + listed(header.rules) + "; this program has " +
           listed(rule_names(rules));
  }
  const sim::SimulationOptions options{static_cast<int>(header.tick_rate_hz), header.seed};
  auto simulation = std::make_unique<sim::Simulation>(*std::move(scene), options, std::move(rules));
  if (recording.blocks.empty()) return std::string("the recording has no complete block of ticks");
  const RecordedBlock& first = recording.blocks.front();
  if (!restore_whole(first.state_before, *simulation)) {
    const std::string_view rule = simulation->refusing_rule();
    return rule.empty() ? std::string("the recording's first state cannot be restored")
                        : "the rule '" + std::string(rule) +
                              "' cannot read its state in the recording, which another version of "
                              "the rule has written";
  }
  if (!is_before(first, *simulation))
    return std::string("the recording's first state is not the one before its first tick");
  return simulation;
}

bool restore_block(const RecordedBlock& block, sim::Simulation& simulation) {
  return restore_whole(block.state_before, simulation) && is_before(block, simulation);
}

namespace {

bool is_state_of(const RecordedBlock& block, const sim::Simulation& simulation) {
  base::ByteWriter state;
  simulation.save(state);
  return state.bytes() == block.state_before && body_hashes_of(simulation) == block.bodies_before;
}

}  // namespace

void replay_tick(const RecordedTick& recorded, sim::Simulation& simulation) {
  simulation.step(recorded.commands);
  for (const RecordedFault& fault : recorded.faults)
    simulation.flip_lowest_bit(fault.body, fault.field);
}

VerifyReport verify(const Recording& recording, sim::Simulation& simulation,
                    const TickHook& after_tick) {
  VerifyReport report;
  for (const RecordedBlock& block : recording.blocks) {
    if (!is_state_of(block, simulation)) {
      report.keyframe_differs = block.ticks.front().commands.tick;
      return report;
    }
    for (const RecordedTick& recorded : block.ticks) {
      replay_tick(recorded, simulation);
      if (after_tick) after_tick();
      const TickHash hash = tick_hash_of(simulation.hash());
      if (hash != recorded.hash) {
        report.divergence = Divergence{recorded.commands.tick, recorded.hash, hash};
        return report;
      }
      ++report.ticks;
      report.last_hash = hash.total;
    }
  }
  return report;
}

}  // namespace jostle::record
