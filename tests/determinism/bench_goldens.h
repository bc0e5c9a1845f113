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
    {"pyramid", 60, 0x63B2073ACC4D945DULL},      {"pyramid100", 25, 0x289BC365B13F2637ULL},
    {"stacks", 25, 0x9C24E45575C86DC1ULL},       {"spheres_rain", 50, 0x9A86C422C175F49DULL},
    {"mixed_pile", 60, 0x3D2699C50F2ECC98ULL},   {"hull_pile", 60, 0xA5341D392510BADBULL},
    {"joint_grid", 60, 0xEE9169C412CACC5EULL},   {"ragdolls", 75, 0x1628A6962DDF237EULL},
    {"mesh_terrain", 75, 0x32D2891F0ADA8608ULL}, {"cubes901", 90, 0x9589DFBA6DFA1E80ULL},
    {"large_world", 34, 0xC5B9D2FCA44578FAULL},
};

}  // namespace jostle
