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
    {"pyramid", 60, 0x5418BC04843B44CAULL},      {"pyramid100", 25, 0xCAB587B88C30F156ULL},
    {"stacks", 25, 0x1DB039A22915599EULL},       {"spheres_rain", 50, 0x3148D27B34CCA50CULL},
    {"mixed_pile", 60, 0x40B98D9D45B40E81ULL},   {"hull_pile", 60, 0xA8AAA2E6FF8E11CFULL},
    {"joint_grid", 60, 0x9D330ECA3810939DULL},   {"ragdolls", 75, 0xF8DDD1B415E991A9ULL},
    {"mesh_terrain", 75, 0x980EC7AF9937B485ULL}, {"cubes901", 90, 0x3CCB44A4A6CD73B1ULL},
    {"large_world", 34, 0x23704CAFB5A0E6F4ULL},
};

}  // namespace jostle
