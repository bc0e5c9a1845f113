#pragma once

#include "protocol/context/predicted_codec.h"
#include "server/snapshot_history.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"
#include "shared/state/command.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace jostle::server {

/// Predictor of body states by simulation (codec 3). The client simulates the same prediction.
/// Stores the recent inputs of all players: the server sends these inputs along with the snapshot,
/// because a client knows only its own player's inputs.
class BaselinePredictor {
 public:
  BaselinePredictor(const scene::SceneDef& scene, int tick_rate_hz)
      : prediction_baseline_(scene, tick_rate_hz) {}

  /// Stores the inputs of a tick. Call it once per tick.
  void note(const state::TickCommands& commands);
  void set_world(const state::WorldDef& world) { prediction_baseline_.set_world(world); }

  struct Expected {
    std::vector<protocol::context::BaselinePrediction> bodies;
    std::vector<protocol::context::QuantizedInput> inputs;
  };
  /// Predicts the bodies of `now` from the two snapshots whose ticks are in `references`. Returns
  /// null if one of the two is a spawn pose, is no longer stored or has other bodies than `now`, or
  /// if the older one is more than max_predicted_ticks old.
  std::optional<Expected> expect(const protocol::context::BaselinePair& references,
                                 const protocol::QuantizedSnapshot& now,
                                 const SnapshotHistory& history) const;

 private:
  protocol::context::QuantizedInput held_in(state::Tick tick, state::PlayerId player) const;

  prediction_baseline::WorldPredictionBaseline prediction_baseline_;
  struct TickInputs {
    state::Tick tick;
    std::map<state::PlayerId, protocol::context::QuantizedInput> held;
  };
  std::deque<TickInputs> inputs_;  // inputs of the last max_predicted_ticks ticks
};

}  // namespace jostle::server
