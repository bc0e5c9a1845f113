#include "tools/matrix/runner.h"

#include "tests/determinism/gallery_goldens.h"
#include "tools/matrix/embedded_scenes.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

namespace jostle::matrix {
namespace {

std::vector<Checkpoint> checkpoints_of(const RunLine& line) {
  std::vector<Checkpoint> all;
  const auto fault = run(line, [&all](const Checkpoint& reached) { all.push_back(reached); });
  EXPECT_FALSE(fault.has_value()) << *fault;
  return all;
}

// flatc converted the scenes in this program. The expected hashes come from this project's scene
// reader (tests/determinism/golden_test.cpp).
class MatrixGolden : public testing::TestWithParam<GalleryGolden> {};

TEST_P(MatrixGolden, EmbeddedSceneReachesTheGoldenHash) {
  const GalleryGolden& golden = GetParam();
  const auto reached =
      checkpoints_of({std::string("gallery/") + golden.scene, 7, golden.ticks, {}});
  ASSERT_FALSE(reached.empty());
  EXPECT_EQ(reached.back().tick, golden.ticks);
  EXPECT_EQ(reached.back().hash, golden.hash);
  EXPECT_GT(reached.back().awake_body_ticks, 0U);
  EXPECT_EQ(reached.back().quarantined_bodies, 0U);
}

INSTANTIATE_TEST_SUITE_P(Scenes, MatrixGolden, testing::ValuesIn(gallery_goldens),
                         [](const testing::TestParamInfo<GalleryGolden>& row) {
                           return std::string(row.param.scene);
                         });

TEST(MatrixRun, ContainsEveryShippedScene) {
  EXPECT_EQ(embedded_scenes().size(), std::size(gallery_goldens));
}

TEST(MatrixRun, ReportsEverySecondAndAtTheEnd) {
  std::vector<std::uint32_t> ticks;
  for (const Checkpoint& reached : checkpoints_of({"gallery/cradle", 1, 150, {}}))
    ticks.push_back(reached.tick);
  EXPECT_EQ(ticks, (std::vector<std::uint32_t>{60, 120, 150}));
}

TEST(MatrixRun, AppliesSeededBlowsInBenchmarkScenes) {
  const std::string scene = "bench/random3";
  const auto once = checkpoints_of({scene, 1, 120, {}});
  EXPECT_EQ(once, checkpoints_of({scene, 1, 120, {2, simd::InstructionSet::Plain}}));
  EXPECT_NE(once, checkpoints_of({scene, 2, 120, {}}));
}

TEST(MatrixRun, RejectsUnknownScenes) {
  const auto refusal = [](const std::string& scene) {
    return run({scene, 1, 60, {}}, [](const Checkpoint&) { FAIL(); }).value_or("none");
  };
  EXPECT_EQ(refusal("gallery/towers"),
            "the gallery has no scene 'towers': jostle-matrix --list prints the scenes");
  EXPECT_EQ(refusal("bench/stack"),
            "there is no benchmark scene 'stack': jostle-matrix --list prints the scenes");
  EXPECT_EQ(
      refusal("tower"),
      "'tower' is neither gallery/NAME nor bench/NAME: jostle-matrix --list prints the scenes");
}

}  // namespace
}  // namespace jostle::matrix
