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
    {"pyramid", 60, 0x8C916DD97A6BF337ULL},      {"pyramid100", 25, 0x2F6783A4C028B970ULL},
    {"stacks", 25, 0xBF75D1BF234B9F99ULL},       {"spheres_rain", 50, 0xFD56BD5F1487B765ULL},
    {"mixed_pile", 60, 0x6BF0AD8A45AD88B1ULL},   {"hull_pile", 60, 0x1411B4615118FD94ULL},
    {"joint_grid", 60, 0xBE212AE4BE97AB5CULL},   {"ragdolls", 75, 0x6E37B440EA159C58ULL},
    {"mesh_terrain", 75, 0xE36F362CE8FB3F4EULL}, {"cubes901", 90, 0x87550A053C8DC030ULL},
    {"large_world", 34, 0x8D09BF2B852B0B63ULL},
};

}  // namespace jostle
