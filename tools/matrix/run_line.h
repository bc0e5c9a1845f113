#pragma once

#include "shared/base/result.h"
#include "shared/physics/execution.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::matrix {

/// One run of the determinism matrix, as a line of a unit file says it:
///
///     SCENE SEED TICKS THREADS SIMD
///     gallery/tower 7 3600 2 sse2
///
/// SCENE is gallery/NAME, a scene of the folder scenes with two random players of that seed, or
/// bench/NAME, a benchmark scene (workload::make_scene) whose bodies are struck at random. SIMD is
/// plain, sse2, avx2 or neon, or best for whatever the machine is fastest with.
struct RunLine {
  std::string scene;
  std::uint64_t seed = 0;
  std::uint32_t ticks = 0;  // of 1/60 s
  physics::Execution execution;
};

inline constexpr std::uint32_t max_run_ticks = 10'000'000;

/// The error says in words what is wrong with the line.
base::Result<RunLine, std::string> parse_run_line(std::string_view line);

}  // namespace jostle::matrix
