// The laws of joints do not depend on how large an island is, nor on how the work is divided
// (shared/physics/islands/clusters.h).
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr int steps = 30;

/// A sheet with `columns` × (`rows` − 1) dynamic bodies.
struct Sheet {
  int columns, rows;
};

World make_sheet(Sheet sheet, const Execution& execution = {}) {
  World world{WorldOptions{}};
  world.set_execution(execution);
  add_joint_grid(world, sheet.columns, sheet.rows);
  return world;
}

/// The largest errors of a sheet in all steps, and its hashes.
struct SheetReport {
  float gap = 0;      // the largest gap of a joint, m
  double gain = 0;    // the largest energy above that of the start, J
  double fallen = 0;  // the largest fall of potential energy, J
  std::vector<std::uint64_t> hashes;
};

SheetReport swing(World world) {
  SheetReport report;
  const double start = total_energy(world);
  for (int i = 0; i < steps; ++i) {
    world.step();
    report.gap = std::max(report.gap, worst_failure(world).gap);
    report.gain = std::max(report.gain, total_energy(world) - start);
    double kinetic = 0;
    for (const BodyHandle body : world.bodies())
      if (world.motion_type(body) == MotionType::Dynamic) kinetic += kinetic_energy(world, body);
    report.fallen = std::max(report.fallen, kinetic);
    report.hashes.push_back(world.hash().total);
  }
  return report;
}

class IslandSizes : public ::testing::TestWithParam<Sheet> {};

// The error depends on the number of rows, because passes move a correction by one row each.
TEST_P(IslandSizes, DoNotChangeTheAccuracyOfJoints) {
  const SheetReport report = swing(make_sheet(GetParam()));
  const SheetReport narrow = swing(make_sheet({3, GetParam().rows}));
  EXPECT_LE(report.gap, 1.01f * narrow.gap) << "m";
  EXPECT_LE(report.gap, GetParam().rows > 41 ? 2e-3f : 2.5e-4f) << "m";
  EXPECT_LE(report.gain, 1e-4 * report.fallen) << "J";
}

// A weight of 1 makes every island a large one, which all threads share. The largest weight makes
// one thread solve everything.
TEST_P(IslandSizes, AreBitIdenticalForAllThreadCountsAndWaysToDivideTheWork) {
  constexpr std::uint32_t whole = std::numeric_limits<std::uint32_t>::max();
  const simd::InstructionSet simd = simd::best_instruction_set();
  const SheetReport usual = swing(make_sheet(GetParam()));
  for (const Execution& execution :
       {Execution{8}, Execution{3, simd, 1}, Execution{2, simd, 100}, Execution{2, simd, whole}}) {
    EXPECT_EQ(swing(make_sheet(GetParam(), execution)).hashes, usual.hashes)
        << execution.threads << " threads, clusters of " << execution.cluster_weight;
  }
}

std::string name_of(const ::testing::TestParamInfo<Sheet>& info) {
  return "Of" + std::to_string(info.param.columns * (info.param.rows - 1));
}
INSTANTIATE_TEST_SUITE_P(, IslandSizes,
                         ::testing::Values(Sheet{10, 11}, Sheet{73, 8}, Sheet{64, 9}, Sheet{57, 10},
                                           Sheet{50, 41}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Full, IslandSizes, ::testing::Values(Sheet{200, 101}), name_of);

}  // namespace
}  // namespace jostle::physics
