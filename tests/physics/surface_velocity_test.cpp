// Surface velocity (conveyor belts).
#include "shared/geometry/surface.h"
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

ShapeDef belt(const state::Shape& shape, Vec3 velocity, float friction) {
  ShapeDef def = shape_def(shape);
  def.surface_velocity = velocity;
  def.material.friction = friction;
  return def;
}

ShapeDef with_friction(const state::Shape& shape, float friction) {
  ShapeDef def = shape_def(shape);
  def.material.friction = friction;
  return def;
}

state::Shape tiled_mesh() {
  state::TriangleMesh mesh;
  for (int z = -1; z <= 1; ++z)
    for (int x = -5; x <= 5; ++x)
      mesh.vertices.push_back({static_cast<float>(4 * x), 0, static_cast<float>(20 * z)});
  for (std::uint32_t z = 0; z < 2; ++z) {
    for (std::uint32_t x = 0; x < 10; ++x) {
      const std::uint32_t i = z * 11 + x;
      mesh.triangles.push_back({i, i + 11, i + 1});
      mesh.triangles.push_back({i + 1, i + 11, i + 12});
    }
  }
  return state::solid(geometry::share(std::move(mesh)));
}

class SurfaceVelocityOfGround : public ::testing::TestWithParam<int> {
 protected:
  /// Adds a ground whose top is y = 0 and moves along +x.
  static void add_belt(World& world, float speed, float friction) {
    if (GetParam() == 0) {
      add_body(world, MotionType::Static, {}, belt(state::plane(), {speed, 0, 0}, friction));
    } else if (GetParam() == 1) {
      // The body is rotated, because the surface velocity is in the shape's frame.
      const math::Quat turned = math::from_axis_angle({0, 1, 0}, math::pi / 2);
      add_body(world, MotionType::Static, {{0, -0.5, 0}, turned},
               belt(state::box({20, 0.5f, 20}), {0, 0, speed}, friction));
    } else if (GetParam() == 2) {
      add_body(world, MotionType::Kinematic, {{0, -0.5, 0}, {}},
               belt(state::box({20, 0.5f, 20}), {speed, 0, 0}, friction));
    } else {
      add_body(world, MotionType::Static, {}, belt(tiled_mesh(), {speed, 0, 0}, friction));
    }
  }
};

// The box slips for t = v/(μg), lags behind the belt by v²/(2μg), and then moves with it.
TEST_P(SurfaceVelocityOfGround, AcceleratesABoxByFrictionUntilItSticks) {
  constexpr float speed = 2, mu = 0.4f;
  World world(without_sleep());
  add_belt(world, speed, mu);
  const BodyHandle box = add_body(world, MotionType::Dynamic, {{-4, 0.25, 0}, {}},
                                  with_friction(state::box({0.5f, 0.25f, 0.5f}), mu));
  const float slip_time = speed / (mu * g_single);
  for (int i = 1; i <= 120; ++i) {
    world.step();
    const float t = static_cast<float>(i) / 60;
    const float expected = t < slip_time ? mu * g_single * t : speed;
    ASSERT_NEAR(world.linear_velocity(box).x, expected, 0.02f * speed) << t;
  }
  const float way = speed * (2 - 0.5f * slip_time);
  EXPECT_NEAR(world.centre_of_mass(box).x, -4 + static_cast<double>(way), 0.02);
  EXPECT_NEAR(world.linear_velocity(box).x, speed, 1e-4f);
  EXPECT_NEAR(world.centre_of_mass(box).z, 0, 2e-3);
  EXPECT_NEAR(world.centre_of_mass(box).y, 0.25, 2e-3);
}

// A ball that starts at rest on a belt reaches 2/7 of the belt's speed. Its spin gives the other
// 5/7 at the contact point.
TEST_P(SurfaceVelocityOfGround, RollsABallAtTwoSeventhsOfItsSpeed) {
  constexpr float speed = 2, radius = 0.5f;
  World world(without_sleep());
  add_belt(world, speed, 0.5f);
  const BodyHandle ball = add_body(world, MotionType::Dynamic, {{-4, 0.5, 0}, {}},
                                   with_friction(state::sphere(radius), 0.5f));
  run(world, 120);
  EXPECT_NEAR(world.linear_velocity(ball).x, speed * 2 / 7, 5e-3f);
  // At the contact point the ball moves with the belt: v + ω·r = speed.
  EXPECT_NEAR(world.angular_velocity(ball).z, speed * 5 / 7 / radius, 0.02f);
  EXPECT_NEAR(world.linear_velocity(ball).z, 0, 1e-3f);
}
INSTANTIATE_TEST_SUITE_P(Grounds, SurfaceVelocityOfGround, ::testing::Range(0, 4));

// Impulses on the two bodies are equal and opposite, so a body with tracks drives itself.
TEST(SurfaceVelocity, DrivesADynamicBody) {
  World world(without_sleep());
  add_ground(world, {0.8f});
  const BodyHandle tank = add_body(world, MotionType::Dynamic, {{0, 0.25, 0}, {}},
                                   belt(state::box({1, 0.25f, 0.5f}), {-1.5f, 0, 0}, 0.8f));
  run(world, 120);
  EXPECT_NEAR(world.linear_velocity(tank).x, 1.5f, 0.01f);
}

TEST(SurfaceVelocity, WakesBodiesOnItAndKeepsThemAwake) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world, {0.6f});
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  const BodyHandle other = add_dynamic(world, {0, 1.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 120);
  ASSERT_FALSE(world.is_awake(box));
  const ShapeHandle surface = world.shapes(ground)[0];
  world.set_surface_velocity(surface, {});  // unchanged
  EXPECT_FALSE(world.is_awake(box));
  world.set_surface_velocity(surface, {0.01f, 0, 0});  // slower than the sleep threshold
  EXPECT_TRUE(world.is_awake(box));
  EXPECT_TRUE(world.is_awake(other));
  run(world, 300);
  EXPECT_TRUE(world.is_awake(box));
  EXPECT_NEAR(world.centre_of_mass(box).x, 0.05, 2e-3);
  world.set_surface_velocity(surface, {});
  run(world, 120);
  EXPECT_FALSE(world.is_awake(box));
  EXPECT_FALSE(world.is_awake(other));
}

TEST(SurfaceVelocity, CarriesAStack) {
  World world(without_sleep());
  add_body(world, MotionType::Static, {}, belt(state::plane(), {1, 0, 0}, 0.6f));
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 4; ++i)
    boxes.push_back(add_dynamic(world, {0, 0.1 + 0.2 * i, 0}, state::box({1, 0.1f, 1})));
  run(world, 240);
  for (const BodyHandle box : boxes) {
    EXPECT_NEAR(world.linear_velocity(box).x, 1, 2e-2f);
    EXPECT_GT(rotate(world.pose(box).rotation, {0, 1, 0}).y, 0.999f);
  }
}

TEST(SurfaceVelocity, IsSavedAndHashed) {
  const auto make = [](float speed) {
    World world(without_sleep());
    add_body(world, MotionType::Static, {}, belt(state::plane(), {speed, 0, 0}, 0.6f));
    add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
    run(world, 5);
    return world;
  };
  World world = make(1);
  EXPECT_NE(world.hash(), make(1.5f).hash());
  const auto bytes = saved(world);
  World copy{WorldOptions{}};
  base::ByteReader reader(bytes);
  ASSERT_TRUE(copy.restore(reader).has_value());
  EXPECT_EQ(copy.hash(), world.hash());
  run(world, 60);
  run(copy, 60);
  EXPECT_EQ(copy.hash(), world.hash());
}

}  // namespace
}  // namespace jostle::physics
