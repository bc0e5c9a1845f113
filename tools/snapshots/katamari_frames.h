#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"
#include "tools/snapshots/frame_set.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::snapshots {

/// How much a scripted player stirs the cubes up.
enum class Activity : std::uint8_t { Low, Mid, High };
inline constexpr std::array<std::string_view, 3> activity_names{"low", "mid", "high"};

/// Frames of a player who walks by a seed for `ticks` ticks, the first of them before anything has
/// moved. He holds directions for a while each, six bits of input as in Fiedler's demo: four of
/// direction, one that draws cubes near and one that pushes them away. The error says why the scene
/// does not make such frames.
base::Result<FrameSet, std::string> play(const scene::SceneDef& scene, std::uint64_t seed,
                                         Activity activity, std::size_t frames);

}  // namespace jostle::snapshots
