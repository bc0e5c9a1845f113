#include "tests/determinism/bench_goldens.h"
#include "tools/rig/rig.h"
#include "tools/workload/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace jostle {
namespace {

/// State of a scene after the steps of its golden hash.
struct Outcome {
  std::uint64_t hash = 0;
  physics::StepStats stats;
};

Outcome run(const BenchGolden& golden, const physics::Execution& execution) {
  const auto scene = workload::make_scene(golden.scene);
  auto rig = rig::set_up(scene.value(), execution, {});
  EXPECT_TRUE(rig.has_value());
  for (int i = 0; i < golden.steps; ++i)
    rig::step(*scene, i, *rig);
  return {rig->world.hash().total, rig->world.stats()};
}

/// Returns the outcome on one thread with the best SIMD level. Runs each scene only once and caches
/// its outcome.
const Outcome& reference(const BenchGolden& golden) {
  static std::map<std::string, Outcome> known;
  const auto at = known.find(golden.scene);
  if (at != known.end()) return at->second;
  return known[golden.scene] = run(golden, {});
}

/// Returns the table of tests/determinism/bench_goldens.h with the hashes of this build.
std::string new_table() {
  std::ostringstream text;
  for (const BenchGolden& golden : bench_goldens) {
    text << "    {\"" << golden.scene << "\", " << golden.steps << ", 0x" << std::hex
         << std::uppercase << std::setw(16) << std::setfill('0') << reference(golden).hash
         << std::dec << "ULL},\n";
  }
  return text.str();
}

TEST(BenchGoldens, MatchTheHashesOfThisBuild) {
  const bool are_equal = std::ranges::all_of(bench_goldens, [](const BenchGolden& golden) {
    return reference(golden).hash == golden.hash;
  });
  EXPECT_TRUE(are_equal) << "the hashes of this build are:\n" << new_table();
}

TEST(BenchGoldens, NameEveryBenchmarkSceneOnce) {
  std::vector<std::string_view> ours,
      theirs(workload::scene_names().begin(), workload::scene_names().end());
  for (const BenchGolden& golden : bench_goldens)
    ours.emplace_back(golden.scene);
  EXPECT_EQ(ours, theirs);
}

// Positions are doubles, and collisions are computed from differences of positions. The distance
// from the origin therefore does not matter.
TEST(FarScenes, MatchScenesAtTheOriginWithinAMillimetre) {
  for (const std::string name : {"pyramid", "stacks"}) {
    SCOPED_TRACE(name);
    const workload::Scene scene = workload::make_scene(name).value();
    auto near = rig::set_up(scene, {}, {});
    auto far = rig::set_up(scene, {}, {1e5, 1e5, -1e5});
    for (int i = 0; i < 300; ++i) {
      rig::step(scene, i, *near);
      rig::step(scene, i, *far);
    }
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
      const math::Vec3 apart = state_of(*near, i).position - state_of(*far, i).position;
      ASSERT_LT(length(apart), 1e-3f) << "body " << i;
    }
  }
}

class BenchScene : public testing::TestWithParam<BenchGolden> {};

TEST_P(BenchScene, HasAwakeTouchingBodiesWhenItsHashIsTaken) {
  const physics::StepStats& stats = reference(GetParam()).stats;
  EXPECT_GT(stats.awake_bodies, 0U);
  // The bodies of joint_grid do not collide with each other.
  EXPECT_EQ(stats.touching_pairs > 0, GetParam().scene != std::string("joint_grid"));
  EXPECT_EQ(stats.quarantined_bodies, 0U);
}

/// Runs with each SIMD instruction set and each thread count once. One run varies both, because the
/// kernels do not depend on the number of threads.
TEST_P(BenchScene, HasTheSameHashWithAllVectorInstructionsAndThreadCounts) {
  constexpr std::array<physics::Execution, 3> executions{{
      {3, simd::InstructionSet::Sse2},
      {8, simd::InstructionSet::Avx2},
      {2, simd::InstructionSet::Neon},
  }};
  for (physics::Execution execution : executions) {
    if (!simd::is_supported(execution.simd)) execution.simd = simd::best_instruction_set();
    EXPECT_EQ(run(GetParam(), execution).hash, reference(GetParam()).hash)
        << execution.threads << " threads, " << name_of(execution.simd);
  }
}

class PlainBenchScene : public testing::TestWithParam<BenchGolden> {};

TEST_P(PlainBenchScene, HasTheSameHashWithoutVectorInstructions) {
  EXPECT_EQ(run(GetParam(), {2, simd::InstructionSet::Plain}).hash, reference(GetParam()).hash);
}

std::string name_of_row(const testing::TestParamInfo<BenchGolden>& row) {
  return row.param.scene;
}

/// Returns true for scenes that the plain kernels simulate so slowly that only the full tests do.
bool is_slow(const BenchGolden& golden) {
  constexpr std::array<std::string_view, 4> slow{"large_world", "pyramid100", "ragdolls",
                                                 "joint_grid"};
  return std::ranges::find(slow, std::string_view(golden.scene)) != slow.end();
}

std::vector<BenchGolden> goldens(bool are_slow) {
  std::vector<BenchGolden> found;
  std::ranges::copy_if(bench_goldens, std::back_inserter(found),
                       [&](const BenchGolden& golden) { return is_slow(golden) == are_slow; });
  return found;
}

INSTANTIATE_TEST_SUITE_P(All, BenchScene, testing::ValuesIn(bench_goldens), name_of_row);
INSTANTIATE_TEST_SUITE_P(Quick, PlainBenchScene, testing::ValuesIn(goldens(false)), name_of_row);
INSTANTIATE_TEST_SUITE_P(Full, PlainBenchScene, testing::ValuesIn(goldens(true)), name_of_row);

}  // namespace
}  // namespace jostle
