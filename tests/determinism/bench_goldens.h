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
    {"pyramid", 60, 0x6176F27DC3916596ULL},      {"pyramid100", 25, 0x5FCEB5EDE4974B73ULL},
    {"stacks", 25, 0x59BC05EE27E00A83ULL},       {"spheres_rain", 50, 0xAB5367A20FD74E8FULL},
    {"mixed_pile", 60, 0xF8EA41070693991FULL},   {"hull_pile", 60, 0x37E37FF2EA45D9B4ULL},
    {"joint_grid", 60, 0x2EE36BF51021C90CULL},   {"ragdolls", 75, 0x62A6494A4E17F182ULL},
    {"mesh_terrain", 75, 0x4DD5195B5C970AAEULL}, {"cubes901", 90, 0xA8B5649C08B00B03ULL},
    {"large_world", 34, 0xA7ECB3A10695D5A7ULL},
};

}  // namespace jostle
