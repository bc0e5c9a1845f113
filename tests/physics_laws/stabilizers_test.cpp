// Each stabilizer serves a law that the core of the engine does not keep by itself: without the
// stabilizer, the law's error exceeds its bound (docs/ENGINE.md).
#include "tests/physics_laws/law.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace jostle::physics::laws {
namespace {

struct Service {
  Stabilizer stabilizer;
  int row;
  std::string_view name;  // a part of the law's name
};

constexpr Service services[]{
    {Stabilizer::Stacks, 21, "stack of 10"},
    {Stabilizer::MassRatios, 48, "three balls"},
    {Stabilizer::BalancedWarmStart, 48, "light bodies"},
    {Stabilizer::Articulations, 24, "10,000 times"},
    {Stabilizer::JointPositions, 48, "hinge at its limit"},
    {Stabilizer::GeometricStiffness, 24, "10,000 times"},
    {Stabilizer::EnergyLimiter, 48, "chain with limits"},
    {Stabilizer::ImpactPropagation, 9, "one in"},
    {Stabilizer::CurvedTracks, 41, "balls slide"},
    {Stabilizer::InternalEdges, 30, "flush boxes"},
    {Stabilizer::AdaptiveSubsteps, 45, "whipping"},
};
static_assert(std::size(services) == stabilizer_count);

class EachStabilizer : public ::testing::TestWithParam<Service> {
 protected:
  void TearDown() override { stabilizers_in_use() = {}; }
};

TEST_P(EachStabilizer, KeepsALawThatFailsWithoutIt) {
  const auto& [stabilizer, row, name] = GetParam();
  // Adaptive substeps keep this law as well, in islands that are small enough for them.
  const Stabilizers others = stabilizer == Stabilizer::GeometricStiffness
                                 ? Stabilizers{}.without(Stabilizer::AdaptiveSubsteps)
                                 : Stabilizers{};
  int found = 0;
  for (const Law& law : all_laws()) {
    if (law.row != row || std::string_view(law.name).find(name) == std::string_view::npos) continue;
    if (++found > 1) break;  // the first law of a row is enough
    stabilizers_in_use() = others;
    EXPECT_LE(law.error(), bound_of(law)) << law.name;
    stabilizers_in_use() = others.without(stabilizer);
    const double without = law.error();
    EXPECT_FALSE(without <= bound_of(law)) << law.name << ": " << without;
  }
  EXPECT_GT(found, 0) << "there is no such law";
}

INSTANTIATE_TEST_SUITE_P(, EachStabilizer, ::testing::ValuesIn(services),
                         [](const ::testing::TestParamInfo<Service>& info) {
                           return std::string(name_of(info.param.stabilizer));
                         });

}  // namespace
}  // namespace jostle::physics::laws
