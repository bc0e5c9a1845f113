#include "shared/physics/collision/collide.h"

#include "shared/math/quat.h"
#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

struct PairCase {
  const char* name = "";
  state::Shape a, b;
  Vec3 offset;
  Vec3 normal;  // expected, from a to b
  float separation = 0;
  std::uint32_t points = 1;
};
std::ostream& operator<<(std::ostream& out, const PairCase& c) {
  return out << c.name;
}

class CollidePair : public ::testing::TestWithParam<PairCase> {};

TEST_P(CollidePair, GivesNormalSeparationAndPointsInBothOrders) {
  const PairCase& c = GetParam();
  base::Random random(5);
  for (int i = 0; i < 50; ++i) {
    SCOPED_TRACE(i);
    const math::Mat3 axes = to_matrix(i == 0 ? math::Quat{} : random_rotation(random));
    const Vec3 offset = axes * c.offset;
    const Collision ab = collide({c.a, axes}, {c.b, axes}, offset, 0.02f, {});
    const Collision ba = collide({c.b, axes}, {c.a, axes}, -offset, 0.02f, {});
    ASSERT_EQ(ab.point_count, c.points);
    ASSERT_EQ(ba.point_count, c.points);
    if (c.points == 0) continue;
    EXPECT_NEAR(length(ab.normal - axes * c.normal), 0, 1e-4f);
    EXPECT_NEAR(length(ba.normal + axes * c.normal), 0, 1e-4f);
    EXPECT_NEAR(deepest(ab), c.separation, 1e-4f);
    EXPECT_NEAR(deepest(ba), c.separation, 1e-4f);
  }
}

const state::Shape ball = state::sphere(0.5f), cube = state::box({0.5f, 0.5f, 0.5f});
const state::Shape pill = state::capsule(0.25f, 0.5f), half_space = state::plane();

INSTANTIATE_TEST_SUITE_P(
    Table, CollidePair,
    ::testing::Values(
        PairCase{"balls apart", ball, ball, {1.03f, 0, 0}, {}, 0, 0},
        PairCase{"balls near", ball, ball, {1.01f, 0, 0}, {1, 0, 0}, 0.01f, 1},
        PairCase{"balls overlap", ball, ball, {0, 0, 0.9f}, {0, 0, 1}, -0.1f, 1},
        PairCase{"ball on cube", ball, cube, {0, -0.9f, 0}, {0, -1, 0}, -0.1f, 1},
        PairCase{"ball in cube", ball, cube, {-0.3f, 0, 0}, {-1, 0, 0}, -0.7f, 1},
        PairCase{"ball beside pill", ball, pill, {0.7f, 0.2f, 0}, {1, 0, 0}, -0.05f, 1},
        PairCase{"ball above pill", ball, pill, {0, -1.2f, 0}, {0, -1, 0}, -0.05f, 1},
        PairCase{"ball on plane", ball, half_space, {0.3f, -0.45f, 0}, {0, -1, 0}, -0.05f, 1},
        PairCase{"cubes apart", cube, cube, {0, 1.03f, 0}, {}, 0, 0},
        PairCase{"cubes stacked", cube, cube, {0, 1, 0}, {0, 1, 0}, 0, 4},
        PairCase{"cubes half over", cube, cube, {0.5f, 0.98f, 0}, {0, 1, 0}, -0.02f, 4},
        PairCase{"cube on plane", cube, half_space, {0, -0.49f, 0}, {0, -1, 0}, -0.01f, 4},
        PairCase{"pill at cube", pill, cube, {0.7f, 0, 0}, {1, 0, 0}, -0.05f, 2},
        PairCase{"pill deep in cube", pill, cube, {0.4f, 0, 0}, {1, 0, 0}, -0.35f, 2},
        PairCase{"pill upright on cube", pill, cube, {0, -1.2f, 0}, {0, -1, 0}, -0.05f, 1},
        PairCase{"pills side by side", pill, pill, {0.45f, 0.2f, 0}, {1, 0, 0}, -0.05f, 2},
        PairCase{"pills end to end", pill, pill, {0, 1.45f, 0}, {0, 1, 0}, -0.05f, 1},
        PairCase{
            "pill standing on plane", pill, half_space, {0, -0.7f, 0}, {0, -1, 0}, -0.05f, 1}));

// Moving b along the normal by the depth separates the shapes, up to 0.1 m. This tolerance is
// needed because collide() prefers a face to an edge with a slightly smaller overlap.
TEST(CollidePairs, MovingAlongTheNormalByTheDepthEndsTheOverlap) {
  base::Random random(9);
  int overlaps = 0;
  for (int i = 0; i < 20'000; ++i) {
    SCOPED_TRACE(i);
    const state::Shape a = random_shape(random), b = random_shape(random);
    const math::Mat3 axes_a = to_matrix(random_rotation(random));
    const math::Mat3 axes_b = to_matrix(random_rotation(random));
    const Vec3 offset = random_vector(random, 0.8f);
    const Collision c = collide({a, axes_a}, {b, axes_b}, offset, 0.0f, {});
    if (c.point_count == 0) continue;
    ++overlaps;
    ASSERT_NEAR(length(c.normal), 1, 1e-4f);
    const Vec3 parted = offset + c.normal * (0.1f - deepest(c));
    const Collision after = collide({a, axes_a}, {b, axes_b}, parted, 0.0f, {});
    ASSERT_EQ(after.point_count, 0U);
  }
  EXPECT_GT(overlaps, 2'000);
}

}  // namespace
}  // namespace jostle::physics
