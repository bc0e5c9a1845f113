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
    {"stacks", 25, 0x1DB039A22915599EULL},       {"spheres_rain", 50, 0x25A6B3A252899EF1ULL},
    {"mixed_pile", 60, 0x35A027CE8EE7B5ECULL},   {"hull_pile", 60, 0x4029F709F44C86BBULL},
    {"joint_grid", 60, 0x9D330ECA3810939DULL},   {"ragdolls", 75, 0xF8DDD1B415E991A9ULL},
    {"mesh_terrain", 75, 0x470B9D2AE9F35AB1ULL}, {"cubes901", 90, 0xC232B3E709632E32ULL},
    {"large_world", 34, 0x23704CAFB5A0E6F4ULL},
};

}  // namespace jostle
