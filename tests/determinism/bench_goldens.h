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
    {"pyramid", 60, 0xA38FA79DAB136F6BULL},      {"pyramid100", 25, 0xB6994E088A945E9EULL},
    {"stacks", 25, 0xA9F527C62412923AULL},       {"spheres_rain", 50, 0x6AA4FA343326E6FCULL},
    {"mixed_pile", 60, 0x44090564761C6A8BULL},   {"hull_pile", 60, 0xA4826588C270A4FBULL},
    {"joint_grid", 60, 0xD3DCDF52F29315C0ULL},   {"ragdolls", 75, 0xE64B00026EA25FA3ULL},
    {"mesh_terrain", 75, 0x7C81A518ACACB56BULL}, {"cubes901", 90, 0x1C32FB5064C009D4ULL},
    {"large_world", 34, 0x13140478D8A5F2F8ULL},
};

}  // namespace jostle
