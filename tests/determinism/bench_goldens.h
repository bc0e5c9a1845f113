#pragma once

#include <cstdint>
#include <ostream>

namespace jostle {

/// A benchmark scene as `jostle bench physics` runs it, its pushes included, and the hash of its
/// state after `steps`, which is taken while bodies are awake and touch.
struct BenchGolden {
  const char* scene;
  int steps;
  std::uint64_t hash;
};

inline void PrintTo(const BenchGolden& golden, std::ostream* out) {
  *out << golden.scene;
}

// Golden on purpose: equal within a build is not equal across builds. They change whenever the
// engine's bits do; test_bench_scenes then prints this whole table anew, to be put in its place
// together with a sentence in the commit that says which behaviour changed.
inline constexpr BenchGolden bench_goldens[] = {
    {"pyramid", 60, 0xFB9A5CCF6862AD96ULL},      {"pyramid100", 25, 0xE068F683010861E2ULL},
    {"stacks", 25, 0xB447F4A5C1EC3AE9ULL},       {"spheres_rain", 50, 0x5F01FC28D96C7B97ULL},
    {"mixed_pile", 60, 0x9CA314B2AF1E1CE0ULL},   {"hull_pile", 60, 0xF5D514AB6B3C1AB3ULL},
    {"joint_grid", 60, 0xB3671E23EBDCA90EULL},   {"ragdolls", 75, 0x665D591D103C826BULL},
    {"mesh_terrain", 75, 0x482F37FC35397A0BULL}, {"cubes901", 90, 0x73B2ED55E0F892E3ULL},
    {"large_world", 34, 0xAEA19BA47BDC041CULL},
};

}  // namespace jostle
