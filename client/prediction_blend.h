#pragma once

#include "client/client.h"
#include "client/interpolate.h"
#include "client/predictor.h"

#include <span>
#include <vector>

namespace jostle::client {

/// Blend of predicted and interpolated bodies for display. Predicted bodies are shown at a later
/// tick than interpolated ones, so a body would jump when it starts or stops being predicted. The
/// difference is faded out instead.
class PredictionBlend {
 public:
  static constexpr double fade_seconds = 0.2;
  /// Longest distance that is faded. A body that would move farther jumps immediately.
  static constexpr float max_fade_distance = 5;  // m

  /// Rebuilds bodies(). `stage` holds all bodies, interpolated; `predicted` holds some of them,
  /// predicted. `teleported` were set elsewhere, so they jump. All are sorted by id. `now_seconds`
  /// must not decrease.
  void show(std::span<const ShownBody> stage, std::span<const PredictedBody> predicted,
            double now_seconds, std::span<const state::BodyId> teleported = {});
  const std::vector<ShownBody>& bodies() const { return bodies_; }

 private:
  struct Memory {
    state::BodyId id;
    bool is_predicted = false;
    bool is_fading = false;
    math::Pose shown{};
    PoseCorrection correction{};
    double since = 0;
  };
  math::Pose fade(Memory& memory, const math::Pose& pose, double now_seconds) const;

  std::vector<ShownBody> bodies_;
  std::vector<Memory> memories_, next_memories_;  // predicted and fading bodies, sorted by id
};

}  // namespace jostle::client
