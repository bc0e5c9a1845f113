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
    {"mixed_pile", 60, 0x456613397861A1A1ULL},   {"hull_pile", 60, 0xE4D8ADECB568A8A7ULL},
    {"joint_grid", 60, 0x3D34EA726B6A9780ULL},   {"ragdolls", 75, 0x4FC3C528D313DD28ULL},
    {"mesh_terrain", 75, 0x3F0ABE53F5FBC8F5ULL}, {"cubes901", 90, 0xAD515D5B0339704AULL},
    {"large_world", 34, 0xAEA19BA47BDC041CULL},
};

}  // namespace jostle
