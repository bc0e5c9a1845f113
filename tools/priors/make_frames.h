#pragma once

#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <cstdint>

namespace jostle::priors {

/// Returns the scene with the distances of its bodies scaled by `spacing` in x and z.
scene::SceneDef with_spacing(scene::SceneDef scene, double spacing);

/// Runs `scene` with one player, whose input follows from `seed` and `activity` (0..2). Returns one
/// frame per tick, with the player's body first. With `keeps_interacting`, the awake flag means
/// "interacting": it is always set for the player's body, and for other bodies until 100 ticks
/// after they were last awake. The first 30 ticks, in which the bodies settle, do not count.
snapshots::FrameSet make_frames(const scene::SceneDef& scene, std::uint64_t seed, int activity,
                                int ticks, bool keeps_interacting);

}  // namespace jostle::priors
