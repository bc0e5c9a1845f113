#include "shared/geometry/surface.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

// Seams must not be felt: a body that slides over a floor of many parts moves as on one (physics
// law 30).

constexpr float slide_speed = 10.0f;

ShapeDef smooth(const state::Shape& shape) {
  ShapeDef def = shape_def(shape);
  def.material.friction = 0;
  return def;
}

/// Along x for 100 m, z from −2 to 2.
state::Shape mesh_floor() {
  state::TriangleMesh mesh;
  constexpr std::uint32_t length = 90, width = 5;
  for (std::uint32_t i = 0; i <= length; ++i) {
    for (std::uint32_t k = 0; k <= width; ++k) {
      mesh.vertices.push_back(
          {-5 + 1.3f * static_cast<float>(i), 0, -2 + 0.8f * static_cast<float>(k)});
      if (i == length || k == width) continue;
      const std::uint32_t a = i * (width + 1) + k, b = a + 1, c = a + width + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return state::solid(geometry::share(std::move(mesh)));
}

state::Shape field_floor() {
  state::HeightField field;
  field.count_x = 91;
  field.count_z = 6;
  field.cell_x = 1.3f;
  field.cell_z = 0.8f;
  field.heights.assign(91 * 6, 0.0f);
  return state::solid(geometry::share(std::move(field)));
}

/// Boxes, 90 of them along x, each flush with the next.
void add_box_floor(World& world) {
  for (int i = 0; i < 90; ++i) {
    add_body(world, MotionType::Static, {{-5 + 1.3 * i, -0.5, 0}, {}},
             smooth(state::box({0.65f, 0.5f, 2})));
  }
}

/// The fastest rise or fall after the body has settled, over 100 m.
float bump(World& world, const state::Shape& shape, float height, math::Quat turn,
           float speed = slide_speed) {
  const BodyHandle body = add_body(world, MotionType::Dynamic,
                                   {{0, static_cast<double>(height), 0.13}, turn}, smooth(shape));
  run(world, 60);
  world.set_velocity(body, {speed, 0, 0}, {});
  run(world, 6);
  float fastest = 0;
  const int steps = static_cast<int>(590 * slide_speed / speed);
  for (int step = 0; step < steps; ++step) {
    world.step();
    fastest = math::max_of(fastest, math::abs_of(world.linear_velocity(body).y));
  }
  EXPECT_GT(world.pose(body).position.x, 97.0);
  EXPECT_NEAR(world.pose(body).position.y, static_cast<double>(height), 2e-3);
  return fastest;
}

WorldOptions sleepless() {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  return options;
}

struct Slider {
  const char* name = "";
  state::Shape shape;
  float height = 0;
  math::Quat turn;
};
std::ostream& operator<<(std::ostream& out, const Slider& slider) {
  return out << slider.name;
}

class Seams : public ::testing::TestWithParam<Slider> {};

TEST_P(Seams, OfAMeshAreNotFelt) {
  World world(sleepless());
  add_body(world, MotionType::Static, {}, smooth(mesh_floor()));
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

TEST_P(Seams, OfAHeightFieldAreNotFelt) {
  World world(sleepless());
  add_body(world, MotionType::Static, {{-5, 0, -2}, {}}, smooth(field_floor()));
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

TEST_P(Seams, OfBoxesAreNotFelt) {
  for (const float speed : {2.0f, 10.0f, 20.0f}) {
    SCOPED_TRACE(speed);
    World world(sleepless());
    add_box_floor(world);
    EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn, speed), 0.01f);
  }
}

TEST_P(Seams, OfACompoundAreNotFelt) {
  World world(sleepless());
  BodyDef def;
  def.motion = MotionType::Static;
  const BodyHandle floor = world.create_body(def);
  for (int i = 0; i < 90; ++i) {
    for (const float z : {-1.0f, 1.0f}) {
      ShapeDef tile = smooth(state::box({0.65f, 0.5f, 1}));
      tile.local.offset = {-5 + 1.3f * static_cast<float>(i), -0.5f, z};
      world.add_shape(floor, tile);
    }
  }
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

constexpr math::Quat on_side{0.70710678f, 0, 0, 0.70710678f};  // y to z: rolls along x
INSTANTIATE_TEST_SUITE_P(
    Sliders, Seams,
    ::testing::Values(Slider{"Box", state::box({0.4f, 0.25f, 0.3f}), 0.25f, {}},
                      Slider{"TurnedBox",
                             state::box({0.4f, 0.25f, 0.3f}),
                             0.25f,
                             {0, 0.25881905f, 0, 0.96592583f}},
                      Slider{"Ball", state::sphere(0.3f), 0.3f, {}},
                      Slider{"Capsule", state::capsule(0.2f, 0.3f), 0.2f, on_side},
                      Slider{"Cylinder", state::cylinder(0.3f, 0.2f), 0.3f, on_side},
                      Slider{"StandingCylinder", state::cylinder(0.3f, 0.2f), 0.2f, {}}),
    [](const auto& slider) { return std::string(slider.param.name); });

TEST(FlushBoxes, AreOneFloorForABox) {
  for (const float angle : {0.0f, 0.1f, 0.25881905f}) {
    SCOPED_TRACE(angle);
    World world(sleepless());
    add_box_floor(world);
    const math::Quat turn{0, angle, 0, std::sqrt(1 - angle * angle)};
    EXPECT_LT(bump(world, state::box({0.4f, 0.25f, 0.3f}), 0.25f, turn), 1e-3f);
  }
}

/// What is no seam stops what runs into it.
TEST(FlushBoxes, AStepOfACentimetreIsNone) {
  World world(sleepless());
  add_body(world, MotionType::Static, {{-5, -0.5, 0}, {}}, smooth(state::box({6, 0.5f, 2})));
  add_body(world, MotionType::Static, {{7, -0.49, 0}, {}}, smooth(state::box({6, 0.5f, 2})));
  const BodyHandle body = add_body(world, MotionType::Dynamic, {{-2, 0.25, 0}, {}},
                                   smooth(state::box({0.4f, 0.25f, 0.3f})));
  run(world, 10);
  world.set_velocity(body, {1, 0, 0}, {});
  run(world, 200);
  EXPECT_LT(world.pose(body).position.x, 0.7);
}

/// A leg that hangs down between two tables of one height.
TEST(FlushBoxes, HoldWhatReachesBelowTheirPlane) {
  World world(sleepless());
  add_body(world, MotionType::Static, {{-5, -0.5, 0}, {}}, smooth(state::box({5, 0.5f, 2})));
  add_body(world, MotionType::Static, {{6, -0.5, 0}, {}}, smooth(state::box({5, 0.5f, 2})));
  ShapeDef top = smooth(state::box({1.5f, 0.1f, 0.5f})),
           leg = smooth(state::box({0.1f, 0.2f, 0.1f}));
  top.local.offset = {-0.5f, 0.1f, 0};
  leg.local.offset = {0.5f, -0.2f, 0};
  BodyDef def;
  def.motion = MotionType::Dynamic;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, top);
  world.add_shape(body, leg);
  run(world, 10);
  const double start = world.pose(body).position.x;
  world.set_velocity(body, {1, 0, 0}, {});
  double farthest = start;
  for (int i = 0; i < 200; ++i) {
    world.step();
    farthest = std::max(farthest, world.pose(body).position.x);
  }
  EXPECT_NEAR(farthest, start + 0.4, 0.02);
}

}  // namespace
}  // namespace jostle::physics
