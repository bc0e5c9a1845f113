#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// The names of rules, in order: what a recording must be replayed with.
std::vector<std::string> rule_names(const std::vector<std::unique_ptr<sim::Rule>>& rules);

/// A simulation at the start of the recording, with the stock rules. The error says in words what
/// this build cannot reproduce (other rules, a scene it refuses, a state it cannot read).
base::Result<std::unique_ptr<sim::Simulation>, std::string> start_replay(
    const Recording& recording);

/// Makes the simulation what it was before the block's first tick; false where what was written
/// down is not a state, or that of another tick: then it may be anything.
bool restore_block(const RecordedBlock& block, sim::Simulation& simulation);

/// Does in the simulation what was done in the tick.
void replay_tick(const RecordedTick& recorded, sim::Simulation& simulation);

/// Where a replay left the recording.
struct Divergence {
  state::Tick tick;
  TickHash recorded, replayed;
};

struct VerifyReport {
  std::uint64_t ticks = 0;  // that agree, from the start
  std::uint64_t last_hash = 0;
  std::optional<Divergence> divergence;
  /// The first tick of a block whose state, as it was written down, is not what the ticks before it
  /// lead to.
  std::optional<state::Tick> keyframe_differs;

  bool is_same() const { return !divergence && !keyframe_differs; }
};

/// Replays every tick and compares the hash after each, and every state that was written down on
/// the way; stops at the first that differs.
VerifyReport verify(const Recording& recording, sim::Simulation& simulation);

}  // namespace jostle::record
