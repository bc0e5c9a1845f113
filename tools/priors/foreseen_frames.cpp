#include "tools/priors/foreseen_frames.h"

#include "shared/foresight/foresight.h"
#include "tools/priors/training_pass.h"
#include "tools/snapshots/katamari_frames.h"

#include <cstddef>
#include <span>

namespace jostle::priors {
ForeseenFrames foresee_frames(const scene::SceneDef& scene, const snapshots::FrameSet& set) {
  const foresight::Foresight foresight(scene, snapshots::frames_per_second,
                                       snapshots::cast_of_frames(scene));
  ForeseenFrames result;
  result.frames.resize(set.frames.size());
  for (std::size_t i = first_frame; i < set.frames.size(); ++i) {
    const Distance distance = distance_of(i);
    const std::size_t baseline = i - distance.age, previous = baseline - distance.gap;
    const auto inputs = std::span(set.inputs).subspan(previous + 1, i - previous);
    const auto bodies = foresight.foresee(
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

std::vector<protocol::context::ForeseenBody> expand(
    const std::vector<std::pair<std::uint16_t, protocol::context::ForeseenBody>>& moved,
    const std::vector<protocol::QuantizedBody>& baseline) {
  std::vector<protocol::context::ForeseenBody> bodies(baseline.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].is_known = bodies[i].is_still = true;
    bodies[i].is_awake = baseline[i].is_awake;
  }
  for (const auto& [index, body] : moved)
    bodies[index] = body;
  return bodies;
}

}  // namespace jostle::priors
