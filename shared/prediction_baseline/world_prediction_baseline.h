#pragma once

#include "protocol/context/context_codec.h"
#include "shared/prediction_baseline/prediction_baseline.h"
#include "shared/state/ids.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::prediction_baseline {

/// Returns a hash of the engine's arithmetic and of the coder's priors. Peers whose hashes differ
/// would compute different predictions. It is computed once, by running a small world with many
/// kinds of contacts.
std::uint64_t fingerprint();

/// A predictor of baselines in a world in which bodies spawn and despawn.
class WorldPredictionBaseline {
 public:
  WorldPredictionBaseline(scene::SceneDef scene, int tick_rate_hz)
      : scene_(std::move(scene)), tick_rate_hz_(tick_rate_hz) {}

  /// Sets the current bodies. Does nothing if the revision is unchanged.
  void set_world(const state::WorldDef& world);
  /// Returns the players whose inputs are needed, in the order of their bodies.
  const std::vector<state::PlayerId>& steered() const { return steered_; }
  const scene::SceneDef& scene() const { return scene_; }

  /// Returns the predicted states at `tick` of all moving bodies. `references` names the ticks of
  /// the two baselines, and `baseline` and `previous` are their bodies; see
  /// PredictionBaseline::predict_baseline. Returns an empty list if the arguments do not fit the
  /// world or each other.
  std::vector<protocol::context::BaselinePrediction> predict_baseline(
      const protocol::context::BaselinePair& references, state::Tick tick,
      std::span<const protocol::QuantizedBody> baseline,
      std::span<const protocol::QuantizedBody> previous,
      std::span<const protocol::context::QuantizedInput> inputs) const;

 private:
  scene::SceneDef scene_;
  int tick_rate_hz_ = 60;
  std::uint32_t revision_ = 0;
  std::size_t moving_ = 0;  // number of moving bodies
  std::vector<state::PlayerId> steered_;
  std::optional<PredictionBaseline> prediction_baseline_;
};

}  // namespace jostle::prediction_baseline
