#pragma once

#include "shared/base/result.h"
#include "shared/physics/execution.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::matrix {

/// One run of the determinism matrix, parsed from a line of a unit file:
///
///     SCENE SEED TICKS THREADS SIMD
///     gallery/tower 7 3600 2 sse2
///
/// SCENE is gallery/NAME or bench/NAME. gallery/NAME is a scene of the folder scenes, played by two
/// random players of that seed. bench/NAME is a benchmark scene (workload::make_scene) with random
/// impulses on its bodies. SIMD is plain, sse2, avx2, neon, or best for the fastest one of the
/// machine.
struct RunLine {
  std::string scene;
  std::uint64_t seed = 0;
  std::uint32_t ticks = 0;  // number of ticks of 1/60 s
  physics::Execution execution;
};

inline constexpr std::uint32_t max_run_ticks = 10'000'000;

/// Parses a line. The error is a sentence that says what is wrong with the line.
base::Result<RunLine, std::string> parse_run_line(std::string_view line);

}  // namespace jostle::matrix
