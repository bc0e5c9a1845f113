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
    {"pyramid", 60, 0x1E8E0F91B0D0A08AULL},      {"pyramid100", 25, 0x994A73BE1D218E5DULL},
    {"stacks", 25, 0xA9F527C62412923AULL},       {"spheres_rain", 50, 0x74DEB7F4F1C49BE9ULL},
    {"mixed_pile", 60, 0x3753217D73CBB34AULL},   {"hull_pile", 60, 0xF347DB6E727BF015ULL},
    {"joint_grid", 60, 0xD3DCDF52F29315C0ULL},   {"ragdolls", 75, 0x2F161FD8D3BC9DE1ULL},
    {"mesh_terrain", 75, 0xD52C8FD0D73D8276ULL}, {"cubes901", 90, 0x923C091857A87D4CULL},
    {"large_world", 34, 0xCB9727D00484B287ULL},
};

}  // namespace jostle
