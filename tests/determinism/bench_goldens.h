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
    {"pyramid", 60, 0x8015502CDB64C6C5ULL},      {"pyramid100", 25, 0x667B26D3681CF7EAULL},
    {"stacks", 25, 0x9AECB16220F2B0DFULL},       {"spheres_rain", 50, 0x3AFECD3A49A46599ULL},
    {"mixed_pile", 60, 0xC0BB412522831322ULL},   {"hull_pile", 60, 0x5D58059B6FB99BB6ULL},
    {"joint_grid", 60, 0xE28BA24EB9814F8CULL},   {"ragdolls", 75, 0x2EA8D4F23657DBB8ULL},
    {"mesh_terrain", 75, 0xA00F6D85BA923A06ULL}, {"cubes901", 90, 0x12E98A5D77CDA317ULL},
    {"large_world", 34, 0xC23F91501F1FDE25ULL},
};

}  // namespace jostle
