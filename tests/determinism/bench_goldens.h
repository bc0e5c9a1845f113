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
    {"pyramid", 60, 0x0332E8A9B082D105ULL},      {"pyramid100", 25, 0x970F9593344DC886ULL},
    {"stacks", 25, 0x4255176EB9E6DB13ULL},       {"spheres_rain", 50, 0xC3C42CC5CFF571AEULL},
    {"mixed_pile", 60, 0x056E403FBDA719D8ULL},   {"hull_pile", 60, 0x7427CD0462F6AEBDULL},
    {"joint_grid", 60, 0xEE9169C412CACC5EULL},   {"ragdolls", 75, 0x527558EE69A2069EULL},
    {"mesh_terrain", 75, 0xA25B5F0F7763AFE0ULL}, {"cubes901", 90, 0x14BFEDD8DC1CB6F3ULL},
    {"large_world", 34, 0xC09EE982CAF7255BULL},
};

}  // namespace jostle
