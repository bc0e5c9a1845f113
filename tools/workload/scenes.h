#pragma once

#include "tools/workload/scene.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::workload {

/// The names of the benchmark scenes, in the order of docs/BENCHMARKS.md.
std::span<const std::string_view> scene_names();

inline constexpr std::uint32_t max_boxes = 1'000'000;
inline constexpr std::uint32_t max_seed = std::numeric_limits<std::uint32_t>::max();

/// The benchmark scene of that name, or a pile of N mixed boxes for "boxesN" (N from 1 to
/// max_boxes), which shows how cost and memory grow with the number of bodies, or for "randomSEED"
/// one that is drawn from that seed, as tests/determinism/random_scenes_test.cpp takes them.
std::optional<Scene> make_scene(std::string_view name);

}  // namespace jostle::workload
