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
    {"pyramid", 60, 0xC4122BFBA3DAC30BULL},      {"pyramid100", 25, 0xA3141E59911BE3D4ULL},
    {"stacks", 25, 0xE0B5DA5341DC40EBULL},       {"spheres_rain", 50, 0x9A86C422C175F49DULL},
    {"mixed_pile", 60, 0xF71B1EFDC4496478ULL},   {"hull_pile", 60, 0x8ECB3D85F686A656ULL},
    {"joint_grid", 60, 0xEE9169C412CACC5EULL},   {"ragdolls", 75, 0x1628A6962DDF237EULL},
    {"mesh_terrain", 75, 0x7E1CD6E666EE47DCULL}, {"cubes901", 90, 0x01534A4BEF319C63ULL},
    {"large_world", 34, 0x9ED63E4B870A1FA7ULL},
};

}  // namespace jostle
