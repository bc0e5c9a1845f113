#pragma once

#include "protocol/context/references.h"
#include "shared/base/result.h"
#include "shared/prediction_baseline/body_roles.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"
#include "tools/snapshots/scripted_player.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::snapshots {

/// Runs the scene with the ScriptedPlayer of `seed`. The first frame is the state after tick 1, in
/// which the player joins. The error says why the scene is not suitable.
base::Result<FrameSet, std::string> play(const scene::SceneDef& scene, std::uint64_t seed,
                                         Activity activity, std::size_t frames);
/// The same as play(), with the full states of the bodies.
base::Result<FrameSet, std::string> play_with_states(const scene::SceneDef& scene,
                                                     std::uint64_t seed, Activity activity,
                                                     std::size_t frames);

/// Returns the roles of the bodies in the frames of play(), in the order of the frames.
std::vector<prediction_baseline::Role> roles_of_frames(const scene::SceneDef& scene);
inline constexpr int frames_per_second = 60;
/// Returns the shapes and sizes of the bodies, which encoder and decoder both know: the player's
/// cube of 1.5 m, and small cubes of 0.4 m.
std::vector<protocol::context::BodyFacts> facts_of_frames(std::size_t bodies);

}  // namespace jostle::snapshots
