#include "tools/workload/families.h"

#include "tools/check/penetration.h"
#include "tools/workload/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace jostle::workload {
namespace {

constexpr std::uint32_t tested_seeds = 6;
/// Largest overlap at the start, in m: the rounding of positions of bodies that touch exactly.
constexpr double rounding = 2e-5;

std::vector<BodyState> start_of(const Scene& scene) {
  std::vector<BodyState> states;
  for (const Body& body : scene.bodies)
    states.push_back({body.position, body.rotation, body.linear_velocity, body.angular_velocity});
  return states;
}

class Families : public testing::TestWithParam<std::size_t> {
 protected:
  const Family& family() const { return families()[GetParam()]; }
};

TEST_P(Families, StartWithoutOverlaps) {
  for (std::uint32_t seed = 0; seed < tested_seeds; ++seed) {
    const Scene scene = make_member(family(), seed);
    SCOPED_TRACE(scene.name);
    const check::Penetrations found = check::measure_penetrations(scene, start_of(scene));
    EXPECT_LE(found.deepest, rounding) << "bodies " << found.body_a << " and " << found.body_b;
  }
}

TEST_P(Families, HaveAFewHundredToAFewThousandBodies) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const Scene scene = make_member(family(), seed);
    SCOPED_TRACE(scene.name);
    const auto dynamic = std::ranges::count_if(scene.bodies, is_dynamic);
    EXPECT_GE(dynamic, 250);
    EXPECT_LE(dynamic, 3000);
    for (const BodyState& state : start_of(scene))
      ASSERT_TRUE(is_finite(state));
  }
}

TEST_P(Families, GiveTheSameSceneForTheSameSeedOnly) {
  const auto bytes_of = [&](std::uint32_t seed) {
    return encode_dump(start_of(make_member(family(), seed)));
  };
  EXPECT_EQ(bytes_of(7), bytes_of(7));
  std::set<std::vector<std::byte>> different;
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    different.insert(bytes_of(seed));
  EXPECT_EQ(different.size(), 5U);
}

INSTANTIATE_TEST_SUITE_P(All, Families, testing::Range(std::size_t{0}, families().size()),
                         [](const testing::TestParamInfo<std::size_t>& number) {
                           return std::string(families()[number.param].name);
                         });

TEST(FamilyNames, WithASeedMakeScenes) {
  const auto scene = make_scene("rods@4294967295");
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->name, "rods@4294967295");
  for (const char* name : {"rods", "rods@", "rods@-1", "rods@4294967296", "rods@1x", "rod@1", "@1"})
    EXPECT_FALSE(make_scene(name)) << name;
}

TEST(FamilyNames, AreUniqueAndAtLeast24) {
  std::set<std::string_view> names;
  for (const Family& family : families())
    names.insert(family.name);
  EXPECT_EQ(names.size(), families().size());
  EXPECT_GE(names.size(), 24U);
}

}  // namespace
}  // namespace jostle::workload
