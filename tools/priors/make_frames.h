#pragma once

#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstdint>

namespace jostle::priors {

/// Returns the scene with the distances of its bodies scaled by `spacing` in x and z.
scene::SceneDef with_spacing(scene::SceneDef scene, double spacing);

/// Runs the 901-cube scene with one player whose input follows from the seed; `activity` is 0..2.
/// With `keeps_interacting`, the awake flag means "interacting" and stays set for 100 ticks after a
/// body fell asleep.
snapshots::FrameSet make_frames(const scene::SceneDef& scene, std::uint64_t seed, int activity,
                                int ticks, bool keeps_interacting);

}  // namespace jostle::priors
