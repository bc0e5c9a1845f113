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
    {"pyramid", 60, 0xB3E31139A441F9E6ULL},      {"pyramid100", 25, 0xE3FE6884F34C1763ULL},
    {"stacks", 25, 0x89067DB6AC74FD35ULL},       {"spheres_rain", 50, 0xAD9CBCC4BE55B0B2ULL},
    {"mixed_pile", 60, 0x99FC9883E061FEE3ULL},   {"hull_pile", 60, 0xBD04413B9114B6F0ULL},
    {"joint_grid", 60, 0x72D194B0AE543616ULL},   {"ragdolls", 75, 0x28E2EAA11AA49974ULL},
    {"mesh_terrain", 75, 0x7D84BC52CF5ABE06ULL}, {"cubes901", 90, 0x83B969ACA052BF46ULL},
    {"large_world", 34, 0xA9924555A5E178DCULL},
};

}  // namespace jostle
