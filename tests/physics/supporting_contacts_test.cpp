#include "shared/math/trig.h"
#include "shared/physics/collision/clip.h"
#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

// The supporting contact points of a body must be found in every step. If a point were missed in a
// step, the body would tip at this point and be pushed out again, and so rock for ever.

CollisionSet collide_at_origin(const Placed& body, const state::Shape& surface) {
  constexpr float margin = 0.02f;
  CollisionSet set;
  SurfaceScratch scratch;
  collide_surface({body.shape, body.axes}, {surface, {}}, -body.at, {}, margin, scratch, set);
  return set;
}

/// Returns an octagon with corners at 1 m from the centre. The depths of the corners are random
/// between `lowest` and `highest`.
std::array<ClipVertex, 8> octagon(base::Random& random, float lowest, float highest) {
  std::array<ClipVertex, 8> corners{};
  for (std::uint32_t i = 0; i < corners.size(); ++i) {
    const math::SinCos turn = math::sin_cos(0.785398f * static_cast<float>(i) + 0.2f);
    corners[i] = {turn.cos, turn.sin, random.between(lowest, highest), i};
  }
  return corners;
}

TEST(PickFour, KeepsAllOfFourSupportingPoints) {
  base::Random random(1);
  for (int i = 0; i < 1'000; ++i) {
    SCOPED_TRACE(i);
    std::array<ClipVertex, 8> corners = octagon(random, 2e-3f, 15e-3f);
    std::array<bool, 8> bears{};
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t corner = random.below(8);
      bears[corner] = true;
      corners[corner].height = random.between(-1e-3f, 0);
    }
    std::array<std::uint32_t, 4> picked{};
    ASSERT_EQ(pick_four(corners, picked), 4U);
    ASSERT_TRUE(std::is_sorted(picked.begin(), picked.end()));
    for (std::uint32_t k = 0; k < 8; ++k) {
      if (bears[k]) {
        ASSERT_NE(std::find(picked.begin(), picked.end(), k), picked.end());
      }
    }
  }
}

TEST(PickFour, DoesNotDependOnSmallDifferencesOfDepth) {
  base::Random random(2);
  std::array<std::uint32_t, 4> first{}, picked{};
  ASSERT_EQ(pick_four(octagon(random, 0, 0), first), 4U);
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(pick_four(octagon(random, -4e-4f, 0), picked), 4U);
    ASSERT_EQ(picked, first);
  }
}

/// Returns a pit of six walls that rise from the origin. The y part of their normals is √3/√7.
state::Shape pit_mesh() {
  state::TriangleMesh pit;
  pit.vertices.push_back({0, 0, 0});
  for (std::uint32_t i = 0; i < 6; ++i) {
    const math::SinCos turn = math::sin_cos(1.0471976f * static_cast<float>(i));
    pit.vertices.push_back({2 * turn.cos, 2, 2 * turn.sin});
    pit.triangles.push_back({0, 1 + (i + 1) % 6, 1 + i});
  }
  return state::solid(geometry::share(std::move(pit)));
}
constexpr float pit_height = 1.5275252f;  // height of the centre of a ball of radius 1 in the pit

// The ball rests on all six walls at once.
TEST(SupportingContacts, BallInAPitTouchesAllSixWalls) {
  const Placed ball{state::sphere(0.3f), {}, {0, 0.299f * pit_height, 0}};
  const CollisionSet set = collide_at_origin(ball, pit_mesh());
  ASSERT_EQ(set.count, 6U);
  for (std::uint32_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(set.collisions[k].normal.y, -0.6546537f, 1e-5f);
    EXPECT_NEAR(testing::deepest(set.collisions[k]), -0.001f, 1e-5f);
  }
}

TEST(SupportingContacts, ContactsWithSixWallsAreRestored) {
  World world(without_sleep());
  const state::Shape pit = pit_mesh();
  add_body(world, MotionType::Static, {}, shape_def(pit));
  const float height = 0.3f * pit_height;
  const BodyHandle ball =
      add_dynamic(world, {0, static_cast<double>(height), 0}, state::sphere(0.3f));
  run(world, 60);
  EXPECT_NEAR(world.pose(ball).position.y, static_cast<double>(height), 1e-3);
  ASSERT_EQ(world.contacts().size(), 6U);
  const std::vector<std::byte> bytes = saved(world);
  World copy{WorldOptions{}};
  copy.add_solid(pit.solid);
  base::ByteReader reader(bytes);
  ASSERT_TRUE(copy.restore(reader).has_value());
  EXPECT_EQ(copy.hash(), world.hash());
  run(world, 30);
  run(copy, 30);
  EXPECT_EQ(copy.hash(), world.hash());
}

// An edge of a box lies on flat ground and extends over a bend, after which the ground descends.
// The edge must be supported at its end and at the bend, even if its end is slightly deeper.
TEST(SupportingContacts, EdgeOverABendIsSupportedAtItsEndAndAtTheBend) {
  const state::Shape bend =
      grid_mesh(8, 0.5f, [](float, float z) { return z > 0 ? -0.1f * z : 0.0f; });
  for (const float dip : {0.0f, 1e-3f, 3e-3f, 5e-3f}) {
    SCOPED_TRACE(dip);
    Placed box{state::box({0.2f, 0.2f, 0.3f}), {}, {}};
    box.axes =
        to_matrix(math::from_axis_angle({1, 0, 0}, -dip) * math::from_axis_angle({0, 0, 1}, 0.2f));
    const Vec3 end = box.axes * Vec3{-0.2f, -0.2f, -0.3f};
    box.at = Vec3{0.13f, -4e-4f, -0.07f} - end;
    const CollisionSet set = collide_at_origin(box, bend);
    bool bears_at_end = false, bears_at_bend = false;
    for (std::uint32_t k = 0; k < set.count; ++k) {
      const Collision& found = set.collisions[k];
      for (std::uint32_t i = 0; i < found.point_count; ++i) {
        const Vec3 at = found.points[i].position + box.at;
        bears_at_end = bears_at_end || length(at - Vec3{0.13f, 0, -0.07f}) < 2e-3f;
        bears_at_bend = bears_at_bend || length(at - Vec3{0.13f, 0, 0}) < 2e-3f;
      }
    }
    EXPECT_TRUE(bears_at_end);
    EXPECT_TRUE(bears_at_bend);
  }
}

TEST(SupportingContacts, PeakBesideABoxDoesNotLiftIt) {
  const state::Shape peak =
      grid_mesh(2, 1, [](float x, float z) { return x == 0 && z == 0 ? 0.5f : 0.0f; });
  // The lower face is below the peak and above the slope beside it.
  const Placed box{state::box({0.3f, 0.1f, 0.2f}), {}, {0.31f, 0.5f - 0.001f + 0.1f, 0.02f}};
  const CollisionSet set = collide_at_origin(box, peak);
  for (std::uint32_t k = 0; k < set.count; ++k)
    EXPECT_GT(testing::deepest(set.collisions[k]), 0.0f);
}

float energy_of_motion(const World& world, BodyHandle body) {
  const Vec3 spin = world.angular_velocity(body);
  const Vec3 velocity = world.linear_velocity(body);
  const math::Mat3 axes = to_matrix(world.pose(body).rotation);
  const Vec3 local = transpose_multiply(axes, spin);
  return 0.5f * (world.mass(body) * dot(velocity, velocity) +
                 dot(local, world.inertia_local(body) * local));
}

TEST(SupportingContacts, BoxAcrossTwoTiltedBoxesComesToRest) {
  const state::Shape shape = state::box({0.5f, 0.4f, 0.3f});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    World world(without_sleep());
    const auto add = [&](MotionType motion, Position at, math::Quat turn, float error) {
      turn.x += random.between(-error, error);
      turn.y += random.between(-error, error);
      return add_body(world, motion, {at, normalized(turn)}, shape_def(shape));
    };
    add(MotionType::Static, {-0.8715, -0.7893, 0.3264}, {0.456f, -0.474f, -0.49f, -0.573f}, 0.02f);
    add(MotionType::Static, {0.1661, -0.6944, 0.0661}, {0.563f, -0.395f, -0.514f, -0.514f}, 0.02f);
    const BodyHandle across =
        add(MotionType::Dynamic, {0, 0.02, 0}, {-0.026f, -0.038f, -0.079f, -0.996f}, 0);
    run(world, 400);
    EXPECT_GT(world.pose(across).position.y, -0.05);
    EXPECT_LT(energy_of_motion(world, across), 1e-6f);
  }
}

// The boxes are supported in up to seven directions, on edges along triangles, and beside peaks.
TEST(SupportingContacts, BoxesOnRoughGroundComeToRest) {
  for (const std::uint64_t seed : {22U, 26U, 28U, 49U}) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    World world(without_sleep());
    const std::vector<BodyHandle> boxes = boxes_over_rough_ground(world, random, 80);
    run(world, 1500);
    for (const BodyHandle box : boxes)
      EXPECT_LT(energy_of_motion(world, box), 1e-3f);
  }
}

}  // namespace
}  // namespace jostle::physics
