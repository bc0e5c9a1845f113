#include "shared/geometry/surface.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

// A body that slides over a floor of many parts must move as on a single part (row 30 of
// docs/ACCURACY.md).

constexpr float slide_speed = 10.0f;

ShapeDef smooth(const state::Shape& shape) {
  ShapeDef def = shape_def(shape);
  def.material.friction = 0;
  return def;
}

/// Returns a flat mesh with x from −5 m to 112 m and z from −2 m to 2 m.
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

/// Adds 90 boxes along x, each flush with the next.
void add_box_floor(World& world) {
  for (int i = 0; i < 90; ++i) {
    add_body(world, MotionType::Static, {{-5 + 1.3 * i, -0.5, 0}, {}},
             smooth(state::box({0.65f, 0.5f, 2})));
  }
}

/// Adds a rectangle of two triangles in the plane y = 0.
void add_rectangle(state::TriangleMesh& mesh, float x_0, float x_1, float z_0, float z_1) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const auto& [x, z] : {std::pair{x_0, z_0}, {x_0, z_1}, {x_1, z_1}, {x_1, z_0}})
    mesh.vertices.push_back({x, 0, z});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}
state::Shape rectangle(float length) {
  state::TriangleMesh mesh;
  add_rectangle(mesh, 0, length, -2, 2);
  return state::solid(geometry::share(std::move(mesh)));
}

/// Returns a floor whose rows are cut at different places, so that corners lie in the middle of
/// other triangles' edges.
state::Shape floor_of_bricks() {
  state::TriangleMesh mesh;
  for (int i = 0; i < 90; ++i) {
    const float x = -5 + 1.3f * static_cast<float>(i), middle = i % 2 == 0 ? 0.07f : 0.31f;
    add_rectangle(mesh, x, x + 1.3f, -2, middle);
    add_rectangle(mesh, x, x + 1.3f, middle, 2);
  }
  return state::solid(geometry::share(std::move(mesh)));
}

/// Lets a body of this shape settle and slide at `speed` over at least 97 m. Returns its largest
/// vertical speed, m/s.
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

class SeamlessFloor : public ::testing::TestWithParam<Slider> {};

TEST_P(SeamlessFloor, MeshCausesNoBumps) {
  World world(sleepless());
  add_body(world, MotionType::Static, {}, smooth(mesh_floor()));
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

TEST_P(SeamlessFloor, HeightFieldCausesNoBumps) {
  World world(sleepless());
  add_body(world, MotionType::Static, {{-5, 0, -2}, {}}, smooth(field_floor()));
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

TEST_P(SeamlessFloor, FlushBoxesCauseNoBumps) {
  for (const float speed : {2.0f, 10.0f, 20.0f}) {
    SCOPED_TRACE(speed);
    World world(sleepless());
    add_box_floor(world);
    EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn, speed), 0.01f);
  }
}

TEST_P(SeamlessFloor, CompoundOfBoxesCausesNoBumps) {
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

TEST_P(SeamlessFloor, MeshWithTJunctionsCausesNoBumps) {
  World world(sleepless());
  add_body(world, MotionType::Static, {}, smooth(floor_of_bricks()));
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

TEST_P(SeamlessFloor, TwoSidedMeshCausesNoBumps) {
  state::TriangleMesh mesh = std::get<state::TriangleMesh>(mesh_floor().solid->content);
  for (std::size_t i = 0, count = mesh.triangles.size(); i < count; ++i) {
    const auto [p, q, r] = mesh.triangles[i];
    mesh.triangles.push_back({p, r, q});
  }
  World world(sleepless());
  add_body(world, MotionType::Static, {}, smooth(state::solid(geometry::share(std::move(mesh)))));
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 1e-3f);
}

/// The floors consist of separate bodies side by side, of one kind or of two alternating kinds.
TEST_P(SeamlessFloor, TilesOfMixedKindsCauseNoBumps) {
  state::HeightField flat;
  flat.count_x = flat.count_z = 6;
  flat.cell_x = 0.26f;
  flat.cell_z = 0.8f;
  flat.heights.assign(36, 0.0f);
  const ShapeDef mesh = smooth(rectangle(1.3f));
  const ShapeDef field = smooth(state::solid(geometry::share(std::move(flat))));
  const ShapeDef box = smooth(state::box({0.65f, 0.5f, 2}));
  const auto add = [&](World& world, MotionType motion, const ShapeDef& tile, int i) {
    const double x = -5 + 1.3 * i;
    const Position at = &tile == &mesh    ? Position{x, 0, 0}
                        : &tile == &field ? Position{x, 0, -2}
                                          : Position{x + 0.65, -0.5, 0};
    add_body(world, motion, {at, {}}, tile);
  };
  for (const auto& [first, second] : {std::pair{&mesh, &mesh},
                                      {&field, &field},
                                      {&mesh, &box},
                                      {&field, &mesh},
                                      {&box, &field}}) {
    for (const float speed : {3.0f, 15.0f}) {
      SCOPED_TRACE("kinds " + std::to_string(static_cast<int>(first->shape.kind)) + " and " +
                   std::to_string(static_cast<int>(second->shape.kind)) + ", " +
                   std::to_string(speed) + " m/s");
      World world(sleepless());
      for (int i = 0; i < 90; ++i)
        add(world, MotionType::Static, i % 2 == 0 ? *first : *second, i);
      const float most = speed < slide_speed ? 0.01f : 0.2f;
      EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn, speed), most);
    }
  }
  World world(sleepless());
  for (int i = 0; i < 90; ++i)
    add(world, MotionType::Kinematic, box, i);
  EXPECT_LT(bump(world, GetParam().shape, GetParam().height, GetParam().turn), 0.01f);
}

INSTANTIATE_TEST_SUITE_P(
    Sliders, SeamlessFloor,
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

/// Tiles that are not flush must stop a body that slides into them.
TEST(SeamlessFloor, StepsAndWallsBetweenMeshesStopABox) {
  for (const bool is_wall : {false, true}) {
    World world(sleepless());
    add_body(world, MotionType::Static, {{-10, 0, 0}, {}}, smooth(rectangle(10)));
    state::TriangleMesh mesh;
    add_rectangle(mesh, 0, 10, -2, 2);
    if (is_wall) {
      mesh.vertices = {{0, 0, -2}, {0, 0, 2}, {0, 3, 2}, {0, 3, -2}};
    } else {
      for (math::Vec3& vertex : mesh.vertices)
        vertex.y = 0.01f;
      mesh.vertices.insert(mesh.vertices.end(), {{0, -1, -2}, {0, -1, 2}});
      mesh.triangles.insert(mesh.triangles.end(), {{0, 4, 5}, {0, 5, 1}});
    }
    add_body(world, MotionType::Static, {}, smooth(state::solid(geometry::share(std::move(mesh)))));
    const BodyHandle body = add_body(world, MotionType::Dynamic, {{-2, 0.25, 0}, {}},
                                     smooth(state::box({0.4f, 0.25f, 0.3f})));
    run(world, 10);
    world.set_velocity(body, {1, 0, 0}, {});
    run(world, 200);
    EXPECT_LT(world.pose(body).position.x, -0.3) << (is_wall ? "wall" : "step");
  }
}

TEST(SeamlessFloor, FlushBoxesCauseNoBumpsForATurnedBox) {
  for (const float angle : {0.0f, 0.1f, 0.25881905f}) {
    SCOPED_TRACE(angle);
    World world(sleepless());
    add_box_floor(world);
    const math::Quat turn{0, angle, 0, std::sqrt(1 - angle * angle)};
    EXPECT_LT(bump(world, state::box({0.4f, 0.25f, 0.3f}), 0.25f, turn), 1e-3f);
  }
}

/// Two bodies of many boxes lie on each other, and their faces are almost parallel. Each contact
/// normal is that of a face of one of the bodies. Contacts of both kinds must not be skipped
/// because of each other.
TEST(SeamlessFloor, LogsOfBoxesDoNotSinkIntoEachOther) {
  base::Random random(5);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    World world(sleepless());
    add_ground(world);
    std::vector<BodyHandle> logs;
    for (int k = 0; k < 2; ++k) {
      BodyDef def;
      def.motion = MotionType::Dynamic;
      def.pose.position = {0, k == 0 ? 0.151 : 0.7, 0};
      def.pose.rotation = normalized(math::Quat{0, random.between(-0.02f, 0.02f),
                                                k == 0 ? 0.0f : random.between(-0.01f, 0.01f), 1});
      def.linear_velocity = {0, k == 0 ? 0.0f : -5.0f, 0};
      logs.push_back(world.create_body(def));
      for (int part = 0; part < 7; ++part) {
        ShapeDef box = shape_def(state::box({0.2f, 0.15f, 0.15f}));
        box.local.offset = {0.4f * static_cast<float>(part - 3), 0, 0};
        world.add_shape(logs.back(), box);
      }
    }
    float deepest = 0;
    for (int step = 0; step < 60; ++step) {
      world.step();
      deepest = math::max_of(deepest, deepest_overlap(world));
    }
    EXPECT_LT(deepest, 0.03f);
    EXPECT_NEAR(world.pose(logs[1]).position.y, 0.45, 5e-3);
  }
}

/// A step is not a seam and must stop a body that slides into it.
TEST(SeamlessFloor, StepOfACentimetreBetweenBoxesStopsABox) {
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

/// The body has a leg that hangs down between two tables of the same height.
TEST(SeamlessFloor, GapBetweenBoxesStopsALegThatReachesIntoIt) {
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
