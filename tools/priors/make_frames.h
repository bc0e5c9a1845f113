#pragma once

#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstdint>

namespace jostle::priors {

/// The scene with its bodies further apart (above 1) or nearer.
scene::SceneDef with_spacing(scene::SceneDef scene, double spacing);

/// A run of the 901-cube scene with one player that acts by the seed; `activity` 0..2. With
/// `keeps_interacting`, awake stands for "interacting": until 100 ticks after a body fell asleep.
snapshots::FrameSet make_frames(const scene::SceneDef& scene, std::uint64_t seed, int activity,
                                int ticks, bool keeps_interacting);

}  // namespace jostle::priors
