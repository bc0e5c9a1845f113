#pragma once

#include "protocol/context/references.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::priors {

/// The simulation's prediction of each frame of a set, from the references that `distance_of` gives
/// the frame. Holds only the bodies that the simulation moves.
struct PredictedFrames {
  std::vector<std::vector<std::pair<std::uint16_t, protocol::context::BaselinePrediction>>> frames;
};

/// Predicts the frames. `scene` is the scene that made the set.
PredictedFrames predict_baseline_frames(const scene::SceneDef& scene,
                                        const snapshots::FrameSet& set);

/// Returns the predictions of all bodies of a frame: `moved`, and the baseline for the others.
std::vector<protocol::context::BaselinePrediction> expand(
    const std::vector<std::pair<std::uint16_t, protocol::context::BaselinePrediction>>& moved,
    const std::vector<protocol::QuantizedBody>& baseline);

}  // namespace jostle::priors
