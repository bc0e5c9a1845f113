#pragma once

#include "protocol/context/references.h"
#include "shared/base/result.h"
#include "shared/foresight/cast.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"
#include "tools/snapshots/scripted_player.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::snapshots {

/// Frames of a ScriptedPlayer of a seed, the first of them before anything has moved. The error
/// says why the scene does not make such frames.
base::Result<FrameSet, std::string> play(const scene::SceneDef& scene, std::uint64_t seed,
                                         Activity activity, std::size_t frames);
/// The same with their states.
base::Result<FrameSet, std::string> play_with_states(const scene::SceneDef& scene,
                                                     std::uint64_t seed, Activity activity,
                                                     std::size_t frames);

/// The roles of the bodies of such frames.
std::vector<foresight::Role> cast_of_frames(const scene::SceneDef& scene);
inline constexpr int frames_per_second = 60;
/// What both ends know of them: the player's cube of 1.5 m, and the small ones of 0.4 m.
std::vector<protocol::context::BodyFacts> facts_of_frames(std::size_t bodies);

}  // namespace jostle::snapshots
