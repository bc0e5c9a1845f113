#include "tools/priors/predicted_frames.h"

#include "shared/prediction_baseline/prediction_baseline.h"
#include "tools/priors/training_pass.h"
#include "tools/snapshots/katamari_frames.h"

#include <cstddef>
#include <span>

namespace jostle::priors {
PredictedFrames predict_baseline_frames(const scene::SceneDef& scene,
                                        const snapshots::FrameSet& set) {
  const prediction_baseline::PredictionBaseline prediction_baseline(
      scene, snapshots::frames_per_second, snapshots::roles_of_frames(scene));
  PredictedFrames result;
  result.frames.resize(set.frames.size());
  for (std::size_t i = first_frame; i < set.frames.size(); ++i) {
    const Distance distance = distance_of(i);
    const std::size_t baseline = i - distance.age, previous = baseline - distance.gap;
    const auto inputs = std::span(set.inputs).subspan(previous + 1, i - previous);
    const auto bodies = prediction_baseline.predict_baseline(
        {set.frames[baseline], set.frames[previous], static_cast<std::int32_t>(distance.age),
         static_cast<std::int32_t>(distance.gap), inputs},
        {1});
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      if (!bodies[k].is_still)
        result.frames[i].emplace_back(static_cast<std::uint16_t>(k), bodies[k]);
    }
  }
  return result;
}

std::vector<protocol::context::BaselinePrediction> expand(
    const std::vector<std::pair<std::uint16_t, protocol::context::BaselinePrediction>>& moved,
    const std::vector<protocol::QuantizedBody>& baseline) {
  std::vector<protocol::context::BaselinePrediction> bodies(baseline.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].is_known = bodies[i].is_still = true;
    bodies[i].is_awake = baseline[i].is_awake;
  }
  for (const auto& [index, body] : moved)
    bodies[index] = body;
  return bodies;
}

}  // namespace jostle::priors
