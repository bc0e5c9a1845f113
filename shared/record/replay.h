#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// Returns the names of rules, in order. A replay needs the same rules.
std::vector<std::string> rule_names(const std::vector<std::unique_ptr<sim::Rule>>& rules);

/// Returns a simulation at the start of the recording. `rules` must return rules of the recorded
/// names. The error says why this program cannot reproduce it: other rules, a scene that it
/// rejects, or a state that it cannot read.
base::Result<std::unique_ptr<sim::Simulation>, std::string> start_replay(
    const Recording& recording, const sim::RuleFactory& rules = sim::default_rules);

/// Restores the state before the block's first tick. Returns false if the saved data is not a valid
/// state, or is that of another tick; the simulation's state is then undefined.
bool restore_block(const RecordedBlock& block, sim::Simulation& simulation);

/// Steps the simulation with the commands of a recorded tick, and then applies the tick's faults.
void replay_tick(const RecordedTick& recorded, sim::Simulation& simulation);

/// The first tick whose replay differs from the recording.
struct Divergence {
  state::Tick tick;
  TickHash recorded, replayed;
};

struct VerifyReport {
  std::uint64_t ticks = 0;      // number of matching ticks, from the start
  std::uint64_t last_hash = 0;  // hash after the last matching tick
  std::optional<Divergence> divergence;
  /// The first tick of a block whose saved state or body hashes differ from the replayed state.
  std::optional<state::Tick> keyframe_differs;

  bool is_same() const { return !divergence && !keyframe_differs; }
};

/// A function that is called after each replayed tick, before the tick is compared. It may end the
/// replay by an exception.
using TickHook = std::function<void()>;

/// Replays every tick. Compares the hash after each tick, and the saved state before each block.
/// Stops at the first difference.
VerifyReport verify(const Recording& recording, sim::Simulation& simulation,
                    const TickHook& after_tick = {});

}  // namespace jostle::record
