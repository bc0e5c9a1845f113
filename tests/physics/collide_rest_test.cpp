#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

// Bodies must come to rest on every kind of floor, and fall asleep there.

struct Resting {
  const char* name = "";
  state::Shape shape;
  math::Quat turn;
  float height = 0;  // height of the origin above the floor
};
std::ostream& operator<<(std::ostream& out, const Resting& resting) {
  return out << resting.name;
}

class RestingShape : public ::testing::TestWithParam<Resting> {};

void expect_rest(World& world, const Resting& resting) {
  const BodyHandle body =
      add_body(world, MotionType::Dynamic,
               {{0.1, static_cast<double>(resting.height) + 0.01, 0.07}, resting.turn},
               shape_def(resting.shape));
  run(world, 300);
  const math::Pose pose = world.pose(body);
  EXPECT_FALSE(world.is_awake(body));
  EXPECT_NEAR(pose.position.y, static_cast<double>(resting.height), 2e-3);
  EXPECT_NEAR(pose.position.x, 0.1, 5e-3);
  EXPECT_NEAR(pose.position.z, 0.07, 5e-3);
}

TEST_P(RestingShape, SleepsOnAPlane) {
  World world{WorldOptions{}};
  add_ground(world);
  expect_rest(world, GetParam());
}

TEST_P(RestingShape, SleepsOnABox) {
  World world{WorldOptions{}};
  add_body(world, MotionType::Static, {{0, -1, 0}, {}}, shape_def(state::box({5, 1, 5})));
  expect_rest(world, GetParam());
}

TEST_P(RestingShape, SleepsOnAHull) {
  World world{WorldOptions{}};
  const std::array<Vec3, 8> corners{Vec3{-5, 0, -5}, {5, 0, -5},  {5, 0, 5},  {-5, 0, 5},
                                    {-4, -2, -4},    {4, -2, -4}, {4, -2, 4}, {-4, -2, 4}};
  add_body(world, MotionType::Static, {},
           shape_def(state::solid(geometry::share(geometry::build_hull(corners).value()))));
  expect_rest(world, GetParam());
}

TEST_P(RestingShape, SleepsOnACylinder) {
  World world{WorldOptions{}};
  add_body(world, MotionType::Static, {{0, -1, 0}, {}}, shape_def(state::cylinder(3, 1)));
  expect_rest(world, GetParam());
}

state::Shape wedge() {
  const std::array<Vec3, 6> corners{Vec3{-0.4f, -0.2f, -0.3f}, {0.4f, -0.2f, -0.3f},
                                    {0.4f, -0.2f, 0.3f},       {-0.4f, -0.2f, 0.3f},
                                    {0, 0.3f, -0.3f},          {0, 0.3f, 0.3f}};
  return state::solid(geometry::share(geometry::build_hull(corners).value()));
}

INSTANTIATE_TEST_SUITE_P(
    All, RestingShape,
    ::testing::Values(Resting{"Sphere", state::sphere(0.3f), {}, 0.3f},
                      Resting{"Box", state::box({0.3f, 0.2f, 0.25f}), {}, 0.2f},
                      Resting{"Capsule", state::capsule(0.2f, 0.4f), on_side, 0.2f},
                      Resting{"StandingCylinder", state::cylinder(0.25f, 0.4f), {}, 0.4f},
                      Resting{"LyingCylinder", state::cylinder(0.25f, 0.4f), on_side, 0.25f},
                      Resting{"Cone", state::cone(0.3f, 0.3f), {}, 0.3f},
                      Resting{"Wedge", wedge(), {}, 0.2f}),
    [](const auto& resting) { return std::string(resting.param.name); });

/// Returns a box as a solid of ShapeKind::Box or ShapeKind::Hull.
state::Shape bar_of(ShapeKind kind, Vec3 half) {
  if (kind == ShapeKind::Box) return state::box(half);
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back(
        {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  return state::solid(geometry::share(*geometry::build_hull(points)));
}

class CrossedBars : public ::testing::TestWithParam<ShapeKind> {};

/// A bar that is turned about its length touches the bar below at one point. The manifold also has
/// the points at which it would touch after turning back.
TEST_P(CrossedBars, HaveAllCrossingsOfTheirEdges) {
  const state::Shape bar = bar_of(GetParam(), {0.03f, 0.03f, 0.5f});
  const math::Mat3 along = to_matrix(math::from_axis_angle({0, 0, 1}, 0.1f));
  const math::Mat3 across = to_matrix(math::from_axis_angle({0, 1, 0}, 1.2f));
  const Collision found = collide({bar, across}, {bar, along}, {0, 0.0625f, 0}, 0.02f, {});
  ASSERT_EQ(found.point_count, 4U);
  EXPECT_GT(found.normal.y, 0.999f);
  float nearest = 1, farthest = -1;
  for (std::uint32_t i = 0; i < 4; ++i) {
    nearest = math::min_of(nearest, found.points[i].separation);
    farthest = math::max_of(farthest, found.points[i].separation);
  }
  EXPECT_NEAR(nearest, 0.0625f - 0.03f - 0.03f * (std::cos(0.1f) + std::sin(0.1f)), 1e-4f);
  EXPECT_NEAR(farthest - nearest, 0.06f * std::sin(0.1f), 1e-4f);
}

TEST_P(CrossedBars, ComeToRestInAHeap) {
  base::Random random(3);
  World world(without_sleep());
  add_ground(world);
  std::vector<BodyHandle> bars;
  for (int i = 0; i < 80; ++i) {
    const state::Shape bar = bar_of(
        GetParam(),
        {random.between(0.02f, 0.04f), random.between(0.02f, 0.04f), random.between(0.4f, 0.65f)});
    const math::Pose pose{
        {random.between(-0.3f, 0.3f), 0.1 + 0.12 * i, random.between(-0.3f, 0.3f)},
        normalized(math::Quat{0, random.between(-1, 1), 0, random.between(-1, 1)})};
    bars.push_back(add_body(world, MotionType::Dynamic, pose, shape_def(bar)));
  }
  run(world, 600);
  double energy = 0;
  for (const BodyHandle bar : bars)
    energy += kinetic_energy(world, bar);
  EXPECT_LT(energy, 0.2);
  EXPECT_LT(deepest_overlap(world), 0.01f);
}

INSTANTIATE_TEST_SUITE_P(Kinds, CrossedBars, ::testing::Values(ShapeKind::Box, ShapeKind::Hull),
                         [](const auto& info) {
                           return std::string(info.param == ShapeKind::Box ? "box" : "hull");
                         });

// A cylinder rolls on two contact points and must neither slow down nor turn.
TEST(Rolling, CylinderKeepsItsSpeedAndDirection) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  World world(options);
  add_body(world, MotionType::Static, {{0, -1, 0}, {}}, shape_def(state::box({40, 1, 5})));
  const BodyHandle body = add_body(world, MotionType::Dynamic, {{0, 0.25, 0}, on_side},
                                   shape_def(state::cylinder(0.25f, 0.4f)));
  world.set_velocity(body, {2, 0, 0}, {0, 0, -8});
  run(world, 600);
  EXPECT_NEAR(world.pose(body).position.x, 20.0, 0.1);
  EXPECT_NEAR(world.pose(body).position.z, 0.0, 0.01);
  EXPECT_NEAR(world.linear_velocity(body).x, 2.0f, 0.01f);
}

// A cone that lies on its side must stay there, with its tip on the ground.
TEST(Rolling, ConeOnItsSideKeepsItsTipOnTheGround) {
  World world{WorldOptions{}};
  add_ground(world);
  // The half angle at the tip has tan = radius/height.
  const float height = 0.8f, radius = 0.2f, slant = std::sqrt(height * height + radius * radius);
  const float lean = std::asin(radius / slant);
  // The axis from base to tip points along x, and downwards by the half angle.
  const float angle = -(1.5707963f + lean);
  const math::Quat turn{0, 0, std::sin(0.5f * angle), std::cos(0.5f * angle)};
  const Vec3 tip = rotate(turn, Vec3{0, 0.5f * height, 0});
  const BodyHandle body =
      add_body(world, MotionType::Dynamic, {{0, static_cast<double>(-tip.y), 0}, turn},
               shape_def(state::cone(radius, 0.5f * height)));
  run(world, 240);
  const math::Pose pose = world.pose(body);
  // The cone still lies: the tip is on the ground, and the axis is inclined by the half angle only.
  EXPECT_NEAR(transform_point(pose, Vec3{0, 0.5f * height, 0}).y, 0.0, 5e-3);
  EXPECT_NEAR(static_cast<double>(rotate(pose.rotation, Vec3{0, 1, 0}).y),
              -static_cast<double>(std::sin(lean)), 0.02);
}

// Contact points of shapes that hardly move are kept between steps, but not after a call has moved
// a body.
TEST(CachedContactPoints, AreDroppedAfterSetPose) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  for (const double up : {0.01, 1.0}) {
    World world(options);
    add_body(world, MotionType::Static, {{0, -1, 0}, {}}, shape_def(state::box({5, 1, 5})));
    const BodyHandle body = add_body(world, MotionType::Dynamic, {{0, 0.5, 0}, {}},
                                     shape_def(state::box({1, 0.5f, 1})));
    run(world, 60);
    EXPECT_NEAR(world.linear_velocity(body).y, 0, 1e-3f);
    math::Pose pose = world.pose(body);
    pose.position.y += up;
    world.set_pose(body, pose);
    world.step();
    // No contact holds the body, so it falls for one step.
    EXPECT_NEAR(world.linear_velocity(body).y, options.gravity.y * options.step_seconds, 1e-3f);
  }
}

// A box that creeps by less than a millimetre per step must not be held by contact points of its
// earlier positions.
TEST(CachedContactPoints, DoNotHoldABoxThatSlidesOffAnEdge) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  World world(options);
  add_body(world, MotionType::Static, {{0, -1, 0}, {}}, shape_def(state::box({1, 1, 1})));
  ShapeDef def = shape_def(state::box({0.25f, 0.25f, 0.25f}));
  def.material.friction = 0;
  const BodyHandle body = add_body(world, MotionType::Dynamic, {{0.9, 0.25, 0}, {}}, def);
  for (int i = 0; i < 600; ++i) {
    const Vec3 velocity = world.linear_velocity(body);
    world.set_velocity(body, {0.02f, velocity.y, velocity.z}, world.angular_velocity(body));
    world.step();
    if (world.pose(body).position.x < 0.99) {
      ASSERT_NEAR(world.pose(body).position.y, 0.25, 2e-3);
    }
  }
  EXPECT_LT(world.pose(body).position.y, 0.1);
}

}  // namespace
}  // namespace jostle::physics
