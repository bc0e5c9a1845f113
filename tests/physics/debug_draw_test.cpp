#include "shared/physics/debug_draw.h"

#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

enum class Primitive { Point, Line, Triangle, Sphere, Box, Capsule, Cylinder };

struct Drawn {
  Primitive primitive = Primitive::Point;
  DrawLabel label;
  Position a, b, c;  // corners of a point, line or triangle; for a shape, a is its position
  Vec3 size;

  Vec3 along() const { return b - a; }
};

/// A receiver that records everything that is drawn.
class Sketch : public DebugDrawReceiver {
 public:
  Sketch(const World& world, const DebugDrawOptions& options) { debug_draw(world, options, *this); }

  void point(Position at, const DrawLabel& label) override {
    all.push_back({Primitive::Point, label, at, at, at, {}});
  }
  void line(Position from, Position to, const DrawLabel& label) override {
    all.push_back({Primitive::Line, label, from, to, to, {}});
  }
  void triangle(Position a, Position b, Position c, const DrawLabel& label) override {
    all.push_back({Primitive::Triangle, label, a, b, c, {}});
  }
  void sphere(const math::Pose& pose, float radius, const DrawLabel& label) override {
    add(Primitive::Sphere, pose, {radius, radius, radius}, label);
  }
  void box(const math::Pose& pose, Vec3 half_extents, const DrawLabel& label) override {
    add(Primitive::Box, pose, half_extents, label);
  }
  void capsule(const math::Pose& pose, float radius, float half_segment,
               const DrawLabel& label) override {
    add(Primitive::Capsule, pose, {radius, half_segment, radius}, label);
  }
  void cylinder(const math::Pose& pose, float bottom_radius, float top_radius, float half_height,
                const DrawLabel& label) override {
    add(Primitive::Cylinder, pose, {bottom_radius, half_height, top_radius}, label);
  }

  std::vector<Drawn> of(DrawKind kind) const {
    std::vector<Drawn> found;
    std::ranges::copy_if(all, std::back_inserter(found),
                         [&](const Drawn& drawn) { return drawn.label.kind == kind; });
    return found;
  }
  std::size_t count(BodyHandle body) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [&](const Drawn& drawn) { return drawn.label.body == body; }));
  }

  std::vector<Drawn> all;

 private:
  void add(Primitive primitive, const math::Pose& pose, Vec3 size, const DrawLabel& label) {
    all.push_back({primitive, label, pose.position, pose.position, pose.position, size});
  }
};

Sketch sketch(const World& world, DrawKinds kinds) {
  DebugDrawOptions options;
  options.kinds = kinds;
  return {world, options};
}
Sketch sketch(const World& world, DrawKind kind) {
  return sketch(world, bit_of(kind));
}

const state::Shape unit_box = state::box({0.5f, 0.5f, 0.5f});

TEST(DebugDraw, ShowsFourContactPointsOfARestingBox) {
  World world{without_sleep()};
  add_ground(world);
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, unit_box);
  run(world, 60);
  DebugDrawOptions options;
  options.impulse_scale = 2;
  const Sketch drawn(world, options);
  const std::vector<Drawn> points = drawn.of(DrawKind::ContactPoint);
  ASSERT_EQ(points.size(), 4U);
  std::set<std::pair<bool, bool>> corners;
  for (const Drawn& point : points) {
    EXPECT_NEAR(std::abs(point.a.x), 0.5, 1e-3);
    EXPECT_NEAR(std::abs(point.a.z), 0.5, 1e-3);
    EXPECT_NEAR(point.a.y, 0, 0.01);
    corners.insert({point.a.x > 0, point.a.z > 0});
  }
  EXPECT_EQ(corners.size(), 4U);
  Vec3 sum;
  for (const Drawn& impulse : drawn.of(DrawKind::ContactImpulse)) {
    sum += impulse.along() * (1 / options.impulse_scale);
    // the label contains the body with the larger slot index, and the ground has the smaller one
    EXPECT_EQ(impulse.label.body, box);
  }
  const float weight = 1000 * 9.81f / step_rate;
  EXPECT_NEAR(sum.y, weight, 0.01f * weight);
  EXPECT_NEAR(sum.x, 0, 1e-3f * weight);
  for (const Drawn& normal : drawn.of(DrawKind::ContactNormal))
    EXPECT_LT(length(normal.along() - Vec3{0, options.normal_length, 0}), 1e-4f);
  EXPECT_EQ(drawn.of(DrawKind::ContactNormal).size(), 4U);
}

TEST(DebugDraw, FrictionImpulsesBalanceABoxOnASlope) {
  WorldOptions options = without_sleep();
  options.gravity = {-3, -9, 0};
  World world{options};
  add_ground(world);
  add_dynamic(world, {0, 0.5, 0}, unit_box);
  run(world, 60);
  Vec3 sum;
  for (const Drawn& friction : sketch(world, DrawKind::FrictionImpulse).all)
    sum += friction.along() * (1 / DebugDrawOptions{}.impulse_scale);
  EXPECT_NEAR(sum.x, 3 * 1000 / step_rate, 1);
  EXPECT_NEAR(sum.y, 0, 1e-3f);
}

TEST(DebugDraw, ShapesAreDrawnByMotionTypeAndSleep) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  const BodyHandle asleep = add_dynamic(world, {0, 0.5, 0}, unit_box);
  run(world, 100);
  ASSERT_FALSE(world.is_awake(asleep));
  const BodyHandle awake = add_dynamic(world, {5, 4, 0}, state::capsule(0.2f, 0.6f));
  const BodyHandle mover =
      add_body(world, MotionType::Kinematic, {{9, 1, 0}, {}}, shape_def(state::sphere(0.3f)));
  ShapeDef zone = shape_def(state::cone(0.5f, 0.7f));
  zone.is_sensor = true;
  const BodyHandle gate = add_body(world, MotionType::Static, {{-5, 1, 0}, {}}, zone);
  const Sketch drawn = sketch(world, shape_draw_kinds);
  const auto only = [&](DrawKind kind, BodyHandle body) {
    const std::vector<Drawn> found = drawn.of(kind);
    EXPECT_FALSE(found.empty());
    for (const Drawn& one : found)
      EXPECT_EQ(one.label.body, body);
    return found.front();
  };
  only(DrawKind::StaticShape, ground);
  const Drawn box = only(DrawKind::SleepingShape, asleep);
  EXPECT_EQ(box.primitive, Primitive::Box);
  EXPECT_EQ(box.size, (Vec3{0.5f, 0.5f, 0.5f}));
  const Drawn capsule = only(DrawKind::AwakeShape, awake);
  EXPECT_EQ(capsule.primitive, Primitive::Capsule);
  EXPECT_EQ(capsule.size, (Vec3{0.2f, 0.6f, 0.2f}));
  EXPECT_EQ(only(DrawKind::KinematicShape, mover).primitive, Primitive::Sphere);
  const Drawn cone = only(DrawKind::SensorShape, gate);
  EXPECT_EQ(cone.primitive, Primitive::Cylinder);
  EXPECT_EQ(cone.size, (Vec3{0.5f, 0.7f, 0}));
  // Contacts of sleeping bodies are also drawn.
  EXPECT_EQ(sketch(world, DrawKind::ContactPoint).all.size(), 4U);
}

TEST(DebugDraw, DisabledBodiesAndTheirJointsAreNotDrawn) {
  World world{WorldOptions{}};
  const BodyHandle a = add_dynamic(world, {0, 5, 0}, unit_box);
  const BodyHandle b = add_dynamic(world, {0, 3, 0}, unit_box);
  world.create_joint(make_joint_def(world, JointKind::Ball, a, b, {0, 4, 0}, {0, 1, 0}));
  world.step();
  const Sketch both(world, {});
  EXPECT_GT(both.count(a), 0U);
  EXPECT_FALSE(both.of(DrawKind::JointFrame).empty());
  world.set_enabled(a, false);
  DebugDrawOptions near;
  near.box = math::Aabb{{-9, -9, -9}, {9, 9, 9}};
  for (const DebugDrawOptions& options : {DebugDrawOptions{}, near}) {
    const Sketch rest(world, options);
    EXPECT_EQ(rest.count(a), 0U);
    EXPECT_GT(rest.count(b), 0U);
    EXPECT_TRUE(rest.of(DrawKind::JointFrame).empty());
    EXPECT_EQ(rest.of(DrawKind::Island).size(), 1U);
  }
}

TEST(DebugDraw, NumbersIslandsConsistently) {
  World world{WorldOptions{}};
  add_ground(world);
  std::vector<BodyHandle> stacks;
  for (const double x : {0.0, 5.0})
    for (const double y : {0.5, 1.5, 2.5})
      stacks.push_back(add_dynamic(world, {x, y, 0}, unit_box));
  const BodyHandle hook = add_dynamic(world, {0, 9, 5}, state::sphere(0.2f));
  const BodyHandle bob = add_dynamic(world, {1, 9, 5}, state::sphere(0.2f));
  world.create_joint(make_joint_def(world, JointKind::Ball, hook, bob, {0.5, 9, 5}, {1, 0, 0}));
  const auto check = [&] {
    const Sketch drawn(world, {});
    std::map<BodyHandle, std::uint32_t> number;
    for (const Drawn& shape : drawn.all) {
      if (shape.primitive == Primitive::Box || shape.primitive == Primitive::Sphere)
        number[shape.label.body] = shape.label.island;
    }
    for (const std::size_t i : {0U, 1U, 2U}) {
      EXPECT_EQ(number[stacks[i]], 0U);
      EXPECT_EQ(number[stacks[3 + i]], 1U);
    }
    EXPECT_EQ(number[hook], 2U);
    EXPECT_EQ(number[bob], 2U);
    EXPECT_EQ(world.island(stacks[1]), (std::vector{stacks[0], stacks[1], stacks[2]}));
    EXPECT_EQ(world.island(stacks[3]), (std::vector{stacks[3], stacks[4], stacks[5]}));
    EXPECT_EQ(world.island(bob), (std::vector{hook, bob}));
    const std::vector<Drawn> islands = drawn.of(DrawKind::Island);
    ASSERT_EQ(islands.size(), 3U);
    EXPECT_NEAR(islands[1].a.x, 5, 0.01);
    EXPECT_NEAR(islands[1].size.y, 1.5f, 0.01f);
    EXPECT_EQ(islands[1].label.island, 1U);
  };
  run(world, 5);
  check();
  run(world, 30);
  // Bodies have the same islands while they sleep.
  for (const BodyHandle body : stacks)
    world.set_awake(body, false);
  check();
  // If only shapes are drawn, islands are not computed.
  for (const Drawn& drawn : sketch(world, shape_draw_kinds).all)
    EXPECT_EQ(drawn.label.island, DrawLabel::no_island);
}

TEST(DebugDraw, DrawsOnlyInsideTheBoxOfTheOptions) {
  World world{WorldOptions{}};
  add_ground(world);
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 5; ++i)
    boxes.push_back(add_dynamic(world, {4.0 * i, 0.5, 0}, unit_box));
  BodyDef bare;
  bare.pose.position = {8, 3, 0};
  const BodyHandle point = world.create_body(bare);
  run(world, 3);
  DebugDrawOptions options;
  options.box = math::Aabb{{7, -1, -0.2}, {9, 4, 2}};
  const Sketch drawn(world, options);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(drawn.count(boxes[static_cast<std::size_t>(i)]) > 0, i == 2) << i;
  EXPECT_GT(drawn.count(point), 0U);
  // Two of the third box's four contact points are inside the box of the options.
  EXPECT_EQ(drawn.of(DrawKind::ContactPoint).size(), 2U);
  EXPECT_EQ(drawn.of(DrawKind::CentreOfMass).size(), 2U);
  // The plane is drawn around the centre of the options' box.
  const std::vector<Drawn> plane = drawn.of(DrawKind::StaticShape);
  ASSERT_EQ(plane.size(), 5U);
  EXPECT_NEAR(plane[4].a.x, 8, 1e-4);
  EXPECT_NEAR(plane[4].a.z, 0.9, 1e-4);
  // The plane is not drawn if the options' box is high above it.
  options.box = math::Aabb{{7, 10, 0}, {9, 11, 1}};
  EXPECT_TRUE(Sketch(world, options).all.empty());
}

TEST(DebugDraw, DrawsBoundingBoxesAndVelocities) {
  World world{WorldOptions{}};
  BodyDef def;
  def.linear_velocity = {6, 0, 0};
  def.angular_velocity = {0, 3, 0};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::box({0.3f, 0.2f, 0.4f})));
  run(world, 5);
  const Sketch drawn(world, {});
  const std::vector<Drawn> tight = drawn.of(DrawKind::Aabb), fat = drawn.of(DrawKind::FatAabb);
  ASSERT_EQ(tight.size(), 1U);
  ASSERT_EQ(fat.size(), 1U);
  const math::Aabb box = world.aabb(body);
  EXPECT_LT(length(tight[0].a - tight[0].size - box.lower), 1e-5f);
  EXPECT_LT(length(tight[0].a + tight[0].size - box.upper), 1e-5f);
  EXPECT_GT(fat[0].size.x, tight[0].size.x);
  const std::vector<Drawn> linear = drawn.of(DrawKind::LinearVelocity),
                           angular = drawn.of(DrawKind::AngularVelocity);
  ASSERT_EQ(linear.size(), 1U);
  ASSERT_EQ(angular.size(), 1U);
  EXPECT_EQ(linear[0].a, world.centre_of_mass(body));
  EXPECT_LT(length(linear[0].along() - world.linear_velocity(body) * 0.1f), 1e-5f);
  EXPECT_LT(length(angular[0].along() - world.angular_velocity(body) * 0.1f), 1e-5f);
}

TEST(DebugDraw, DrawsHullsAsEdgesAndSurfacesAsTriangles) {
  World world{WorldOptions{}};
  const std::vector<Vec3> corners{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
  const auto hull = geometry::build_hull(corners);
  ASSERT_TRUE(hull.has_value());
  add_dynamic(world, {0, 9, 0}, state::solid(geometry::share(*hull)));
  state::HeightField field;
  field.count_x = field.count_z = 9;
  field.heights.assign(81, 0.0f);
  add_body(world, MotionType::Static, {{-4, 0, -4}, {}},
           shape_def(state::solid(geometry::share(field))));
  DebugDrawOptions options;
  options.kinds = shape_draw_kinds;
  const Sketch drawn(world, options);
  const std::vector<Drawn> edges = drawn.of(DrawKind::AwakeShape);
  ASSERT_EQ(edges.size(), 12U);
  for (const Drawn& edge : edges)
    EXPECT_NEAR(length(edge.along()), 2, 1e-5f);
  const std::vector<Drawn> triangles = drawn.of(DrawKind::StaticShape);
  ASSERT_EQ(triangles.size(), 128U);
  for (const Drawn& one : triangles)
    EXPECT_GT(cross(one.b - one.a, one.c - one.a).y, 0.9f);  // faces up
  // Only the part of a surface inside the box is drawn.
  options.box = math::Aabb{{0.2, -1, 0.2}, {0.8, 1, 0.8}};
  EXPECT_EQ(Sketch(world, options).all.size(), 2U);
}

/// Returns a joint of the given kind at (0, 4, 0) with its x axis along the world's x.
JointDef hung(const World& world, JointKind kind, BodyHandle a, BodyHandle b) {
  return make_joint_def(world, kind, a, b, {0, 4, 0}, {1, 0, 0});
}

TEST(DebugDraw, DrawsJointFramesArmsAndImpulses) {
  World world{without_sleep()};
  const BodyHandle a =
      add_body(world, MotionType::Static, {{0, 5, 0}, {}}, shape_def(state::sphere(0.1f)));
  const BodyHandle b = add_dynamic(world, {0, 3, 0}, state::sphere(0.2f));
  world.create_joint(hung(world, JointKind::Ball, a, b));
  run(world, 30);
  DebugDrawOptions options;
  options.impulse_scale = 1;
  const Sketch drawn(world, options);
  const std::vector<Drawn> axes = drawn.of(DrawKind::JointFrame);
  ASSERT_EQ(axes.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(axes[i].label.body, i < 3 ? a : b);
    EXPECT_EQ(axes[i].label.axis, i % 3);
    EXPECT_LT(length(axes[i].a - Position{0, 4, 0}), 1e-3f);
    EXPECT_NEAR(length(axes[i].along()), options.axis_length, 1e-5f);
  }
  EXPECT_GT(axes[0].along().x, 0.99f * options.axis_length);
  const std::vector<Drawn> arms = drawn.of(DrawKind::JointArm);
  ASSERT_EQ(arms.size(), 2U);
  EXPECT_LT(length(arms[0].along() - Vec3{0, -1, 0}), 1e-3f);
  EXPECT_LT(length(arms[1].along() - Vec3{0, 1, 0}), 1e-3f);
  const std::vector<Drawn> impulse = drawn.of(DrawKind::JointImpulse);
  ASSERT_EQ(impulse.size(), 1U);
  const float weight = world.mass(b) * 9.81f / step_rate;
  EXPECT_NEAR(impulse[0].along().y, weight, 0.02f * weight);
}

TEST(DebugDraw, DrawsJointLimits) {
  struct Case {
    JointKind kind;
    std::function<void(JointDef&)> set;
    std::vector<std::pair<Vec3, Vec3>> lines;  // start and end, relative to the anchor
  };
  const float r = DebugDrawOptions{}.axis_length;
  const std::vector<Case> cases{
      {JointKind::Hinge,
       [](JointDef& d) {
         d.limits = {true, 0, math::pi / 2};
       },
       {}},
      {JointKind::Slider,
       [](JointDef& d) {
         d.limits = {true, -1, 2};
       },
       {{{-1, 0, 0}, {2, 0, 0}}}},
      {JointKind::Slider, [](JointDef&) {}, {}},
  };
  for (const Case& one : cases) {
    World world{without_sleep()};
    const BodyHandle a =
        add_body(world, MotionType::Static, {{0, 4, 0}, {}}, shape_def(state::sphere(0.1f)));
    const BodyHandle b = add_dynamic(world, {0, 4, 0}, state::sphere(0.2f));
    JointDef def = hung(world, one.kind, a, b);
    one.set(def);
    world.create_joint(def);
    const std::vector<Drawn> limits = sketch(world, DrawKind::JointLimit).all;
    if (one.kind == JointKind::Hinge) {
      // The two lines of the limits are a quarter turn about x apart.
      ASSERT_EQ(limits.size(), 2U);
      EXPECT_NEAR(length(limits[0].along()), r, 1e-5f);
      EXPECT_LT(length(cross(limits[0].along(), limits[1].along()) - Vec3{r * r, 0, 0}), 1e-4f);
      continue;
    }
    ASSERT_EQ(limits.size(), one.lines.size());
    for (std::size_t i = 0; i < limits.size(); ++i) {
      EXPECT_LT(length(limits[i].a - Position{0, 4, 0} - one.lines[i].first), 1e-4f);
      EXPECT_LT(length(limits[i].b - Position{0, 4, 0} - one.lines[i].second), 1e-4f);
    }
  }
}

TEST(DebugDraw, DrawsConeLimitsAroundTheAxis) {
  World world{without_sleep()};
  const BodyHandle a =
      add_body(world, MotionType::Static, {{0, 4, 0}, {}}, shape_def(state::sphere(0.1f)));
  const BodyHandle b = add_dynamic(world, {0, 3, 0}, state::sphere(0.2f));
  JointDef def = hung(world, JointKind::Ball, a, b);
  def.cone = {true, 0.5f};
  world.create_joint(def);
  const std::vector<Drawn> lines = sketch(world, DrawKind::JointLimit).all;
  ASSERT_EQ(lines.size(), 12U);
  Vec3 sum;
  for (const Drawn& one : lines) {
    EXPECT_NEAR(one.along().x / length(one.along()), std::cos(0.5f), 1e-4f);
    sum += one.along();
  }
  EXPECT_NEAR(sum.y, 0, 1e-4f);
  EXPECT_NEAR(sum.z, 0, 1e-4f);
}

TEST(DebugDraw, DrawsPulleyRopesOverTheirPoints) {
  World world{without_sleep()};
  const BodyHandle a = add_dynamic(world, {-1, 1, 0}, state::sphere(0.2f));
  const BodyHandle b = add_dynamic(world, {1, 1, 0}, state::sphere(0.2f));
  world.create_joint(
      make_pulley_joint_def(world, a, b, {-1, 1, 0}, {1, 1, 0}, {-1, 5, 0}, {1, 5, 0}, 1));
  const std::vector<Drawn> rope = sketch(world, DrawKind::JointLink).all;
  ASSERT_EQ(rope.size(), 3U);
  EXPECT_EQ(rope[0].b, (Position{-1, 5, 0}));
  EXPECT_EQ(rope[1].b, (Position{1, 5, 0}));
  EXPECT_EQ(rope[2].b, (Position{1, 1, 0}));
}

TEST(DebugDraw, DoesNotChangeTheWorldAndKeepsItsOrderAfterRestore) {
  World world{WorldOptions{}};
  add_ground(world);
  add_mixed_rain(world, 40, 4);
  add_ragdoll(world, {0, 5, 0}, 0.3f);
  run(world, 80);
  const StateHash before = world.hash();
  const Sketch first(world, {});
  EXPECT_EQ(world.hash(), before);
  // A restored world has its lists and trees in another order.
  const World copy = restored(saved(world));
  DebugDrawOptions options;
  for (const bool is_boxed : {false, true}) {
    if (is_boxed) options.box = math::Aabb{{-1, -1, -1}, {1, 2, 1}};
    const Sketch here(world, options), there(copy, options);
    ASSERT_EQ(here.all.size(), there.all.size());
    EXPECT_EQ(here.all.size() < first.all.size(), is_boxed);
    for (std::size_t i = 0; i < here.all.size(); ++i) {
      EXPECT_EQ(here.all[i].label.kind, there.all[i].label.kind);
      EXPECT_EQ(here.all[i].label.body, there.all[i].label.body);
      EXPECT_EQ(here.all[i].a, there.all[i].a);
      EXPECT_EQ(here.all[i].b, there.all[i].b);
    }
  }
}

}  // namespace
}  // namespace jostle::physics
