#pragma once

#include "client/client.h"
#include "client/interpolate.h"
#include "client/predictor.h"

#include <span>
#include <vector>

namespace jostle::client {

/// Puts predicted bodies in the place of interpolated ones. They stand at different times, so a
/// body that changes from one to the other would jump: its old place fades out instead.
class PredictionBlend {
 public:
  static constexpr double fade_seconds = 0.2;
  /// Beyond this a body is somewhere else, and is shown there at once.
  static constexpr float max_fade_distance = 5;  // m

  /// `stage` and `predicted` are sorted by id; `now_seconds` never goes back.
  void show(std::span<const ShownBody> stage, std::span<const PredictedBody> predicted,
            double now_seconds);
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
  std::vector<Memory> memories_, next_memories_;  // of bodies that are predicted or fade, by id
};

}  // namespace jostle::client
