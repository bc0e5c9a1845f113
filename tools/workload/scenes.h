#pragma once

#include "tools/workload/scene.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::workload {

/// Returns the names of the benchmark scenes, in the order of docs/BENCHMARKS.md.
std::span<const std::string_view> scene_names();

inline constexpr std::uint32_t max_boxes = 1'000'000;
inline constexpr std::uint32_t max_seed = std::numeric_limits<std::uint32_t>::max();

/// Makes the benchmark scene of that name. "boxesN" is a pile of N boxes of mixed sizes (N from 1
/// to max_boxes), which shows how cost and memory grow with the number of bodies. "randomSEED" is a
/// random scene, as in tests/determinism/random_scenes_test.cpp. "FAMILY@SEED" is a member of a
/// family (families.h). Returns null for other names.
std::optional<Scene> make_scene(std::string_view name);

}  // namespace jostle::workload
