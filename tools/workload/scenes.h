#pragma once

#include "tools/workload/scene.h"

#include <optional>
#include <span>
#include <string_view>

namespace jostle::workload {

/// The names of the benchmark scenes, in the order of docs/BENCHMARKS.md.
std::span<const std::string_view> scene_names();

/// The benchmark scene of that name, or a pile of N mixed boxes for "boxesN" (N from 1 to
/// 1,000,000), which shows how cost and memory grow with the number of bodies, or for "randomSEED"
/// one that is drawn from that seed, as tests/determinism/random_scenes_test.cpp takes them.
std::optional<Scene> make_scene(std::string_view name);

}  // namespace jostle::workload
