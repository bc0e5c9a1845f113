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
    {"stacks", 25, 0xBF75D1BF234B9F99ULL},       {"spheres_rain", 50, 0xAB5367A20FD74E8FULL},
    {"mixed_pile", 60, 0xEC3F48DBB9B900F8ULL},   {"hull_pile", 60, 0x93A60F7B654A6EACULL},
    {"joint_grid", 60, 0x2EE36BF51021C90CULL},   {"ragdolls", 75, 0x580AE4FFEF597E59ULL},
    {"mesh_terrain", 75, 0x1D40C3EA25AB4FD7ULL}, {"cubes901", 90, 0x633E557EF532CC65ULL},
    {"large_world", 34, 0xA7ECB3A10695D5A7ULL},
};

}  // namespace jostle
