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
    {"pyramid", 60, 0x22D2F333BD6E1E60ULL},      {"pyramid100", 25, 0xE8EAAE3787254B85ULL},
    {"stacks", 25, 0x2EEF427CCC7FF218ULL},       {"spheres_rain", 50, 0x9295FCD74EA369A4ULL},
    {"mixed_pile", 60, 0xF386CCA757B545A7ULL},   {"hull_pile", 60, 0x36133572326EF6ACULL},
    {"joint_grid", 60, 0x9D330ECA3810939DULL},   {"ragdolls", 75, 0x312D19520E8D5505ULL},
    {"mesh_terrain", 75, 0x269E5E682B437870ULL}, {"cubes901", 90, 0x639E41375E64986DULL},
    {"large_world", 34, 0xEA4C6D1ADB406F4BULL},
};

}  // namespace jostle
