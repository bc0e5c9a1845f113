#pragma once

#include "protocol/context/references.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::priors {

/// The simulation's prediction of each frame of a set, from the baseline and the previous state
/// that `distance_of` selects for the frame. Holds only the bodies that the simulation moves, by
/// index.
struct PredictedFrames {
  std::vector<std::vector<std::pair<std::uint16_t, protocol::context::BaselinePrediction>>> frames;
};

/// Predicts the frames. `scene` is the scene that made the set.
PredictedFrames predict_baseline_frames(const scene::SceneDef& scene,
                                        const snapshots::FrameSet& set);

/// Returns the predictions of all bodies of a frame. Those in `moved` are given by index. The other
/// bodies are predicted not to move; their awake flag is that in `baseline`.
std::vector<protocol::context::BaselinePrediction> expand(
    const std::vector<std::pair<std::uint16_t, protocol::context::BaselinePrediction>>& moved,
    const std::vector<protocol::QuantizedBody>& baseline);

}  // namespace jostle::priors
