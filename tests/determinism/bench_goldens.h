#pragma once

#include <cstdint>
#include <ostream>

namespace jostle {

/// A benchmark scene and the hash of its state after `steps` steps. The scene runs as in `jostle
/// bench physics`, with the same pushes. The hash is taken while bodies are awake and, except in
/// joint_grid, in contact.
struct BenchGolden {
  const char* scene;
  int steps;
  std::uint64_t hash;
};

inline void PrintTo(const BenchGolden& golden, std::ostream* out) {
  *out << golden.scene;
}

// Stored hashes detect changes between builds, which comparisons within one build cannot. They
// change whenever the engine's results change in any bit; test_bench_scenes then prints the new
// table. Paste it here, and state in the commit which behaviour changed.
inline constexpr BenchGolden bench_goldens[] = {
    {"pyramid", 60, 0xE8AFF18AAE71AF92ULL},      {"pyramid100", 25, 0x89473A29F71E1AF7ULL},
    {"stacks", 25, 0x89067DB6AC74FD35ULL},       {"spheres_rain", 50, 0xAD9CBCC4BE55B0B2ULL},
    {"mixed_pile", 60, 0x836F442A30477B3BULL},   {"hull_pile", 60, 0x83C8E2063306F8F6ULL},
    {"joint_grid", 60, 0x72D194B0AE543616ULL},   {"ragdolls", 75, 0xDD4C5ED74436BC09ULL},
    {"mesh_terrain", 75, 0x4056349C20AEEE9BULL}, {"cubes901", 90, 0xCFDA273608975EA7ULL},
    {"large_world", 34, 0x7A609B7317ECE2D7ULL},
};

}  // namespace jostle
