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
    {"pyramid", 60, 0x31459E6C2B76DBD0ULL},      {"pyramid100", 25, 0xFBF60309C8D35499ULL},
    {"stacks", 25, 0xF387BEA76248FD45ULL},       {"spheres_rain", 50, 0x44BA520640BC25A0ULL},
    {"mixed_pile", 60, 0x76CE10D00DAFCA86ULL},   {"hull_pile", 60, 0x10D2F908AF8CC68EULL},
    {"joint_grid", 60, 0x340ACABFA7A43AA2ULL},   {"ragdolls", 75, 0xB434F106A1ABAAF4ULL},
    {"mesh_terrain", 75, 0xC695D0CA2FDBA373ULL}, {"cubes901", 90, 0x7694D67A1551CEEDULL},
    {"large_world", 34, 0x888BD4517F0BBDFDULL},
};

}  // namespace jostle
