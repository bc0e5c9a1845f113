#pragma once

#include "protocol/context/references.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::priors {

/// What a simulation expects of each frame of a set, against the references that `distance_of`
/// gives it: only of the bodies that it moves.
struct ForeseenFrames {
  std::vector<std::vector<std::pair<std::uint16_t, protocol::context::ForeseenBody>>> frames;
};

/// `scene` is the one that made the set.
ForeseenFrames foresee_frames(const scene::SceneDef& scene, const snapshots::FrameSet& set);

/// All bodies of a frame.
std::vector<protocol::context::ForeseenBody> expand(
    const std::vector<std::pair<std::uint16_t, protocol::context::ForeseenBody>>& moved,
    const std::vector<protocol::QuantizedBody>& baseline);

}  // namespace jostle::priors
