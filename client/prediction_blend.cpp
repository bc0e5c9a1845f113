#include "client/prediction_blend.h"

#include <algorithm>
#include <utility>

namespace jostle::client {

void PredictionBlend::show(std::span<const ShownBody> stage,
                           std::span<const PredictedBody> predicted, double now_seconds,
                           std::span<const state::BodyId> teleported) {
  bodies_.assign(stage.begin(), stage.end());
  next_memories_.clear();
  auto memory = memories_.begin();
  auto prediction = predicted.begin();
  for (ShownBody& body : bodies_) {
    const state::BodyId id = body.info->id;
    while (memory != memories_.end() && memory->id < id)
      ++memory;
    while (prediction != predicted.end() && prediction->id < id)
      ++prediction;
    const bool is_known = memory != memories_.end() && memory->id == id;
    const bool is_predicted = prediction != predicted.end() && prediction->id == id;
    if (!is_known && !is_predicted) continue;

    // A body without a memory was displayed at its interpolated pose.
    Memory next = is_known ? *memory : Memory{.id = id, .shown = body.pose};
    const math::Pose pose = is_predicted ? prediction->pose : body.pose;
    if (is_predicted != next.is_predicted) {
      next.is_predicted = is_predicted;
      next.correction = correction_between(pose, next.shown);
      next.since = now_seconds;
      next.is_fading = length(next.correction.offset) <= max_fade_distance;
    }
    if (std::binary_search(teleported.begin(), teleported.end(), id)) next.is_fading = false;
    body.pose = fade(next, pose, now_seconds);
    if (is_predicted) body.is_awake = prediction->is_awake;
    next.shown = body.pose;
    if (next.is_predicted || next.is_fading) next_memories_.push_back(next);
  }
  std::swap(memories_, next_memories_);
}

math::Pose PredictionBlend::fade(Memory& memory, const math::Pose& pose, double now_seconds) const {
  if (!memory.is_fading) return pose;
  const double weight = 1 - (now_seconds - memory.since) / fade_seconds;
  if (weight <= 0) {
    memory.is_fading = false;
    return pose;
  }
  return corrected(pose, memory.correction, weight);
}

}  // namespace jostle::client
