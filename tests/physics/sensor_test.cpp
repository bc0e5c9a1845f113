// Sensors: shapes that do not collide and report the shapes that overlap them.
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

ShapeDef sensing(const state::Shape& shape) {
  ShapeDef def = shape_def(shape);
  def.is_sensor = true;
  def.density = 0;
  return def;
}

ShapeHandle only_shape(const World& world, BodyHandle body) {
  return world.shapes(body)[0];
}

TEST(Sensor, ReportsBeginAndEndAsAShapePassesThrough) {
  World world(without_gravity());
  const BodyHandle gate =
      add_body(world, MotionType::Static, {}, sensing(state::box({0.5f, 0.5f, 0.5f})));
  const BodyHandle ball = add_dynamic(world, {-2, 0, 0}, state::sphere(0.25f));
  world.set_velocity(ball, {3, 0, 0}, {});
  const ShapeHandle sensor = only_shape(world, gate), visitor = only_shape(world, ball);
  for (int i = 0; i < 120; ++i) {
    world.step();
    // The ball touches the face when its centre is 0.75 m away.
    const bool is_inside = std::abs(world.pose(ball).position.x) <= 0.75;
    const bool was_inside = std::abs(world.pose(ball).position.x - 0.05) <= 0.75;
    EXPECT_EQ(world.sensor_overlaps(sensor).size(), is_inside ? 1U : 0U) << i;
    ASSERT_EQ(world.sensor_begins().size(), is_inside && !was_inside ? 1U : 0U) << i;
    ASSERT_EQ(world.sensor_ends().size(), !is_inside && was_inside ? 1U : 0U) << i;
    if (is_inside && !was_inside) {
      EXPECT_EQ(world.sensor_begins()[0], (SensorBegin{sensor, visitor}));
    }
  }
  EXPECT_NEAR(world.linear_velocity(ball).x, 3, 1e-6f);  // no contact has changed it
  EXPECT_TRUE(world.contact_begins().empty());
}

TEST(Sensor, DetectsShapesInsteadOfBoundingBoxes) {
  World world(without_gravity());
  const math::Quat turned = math::from_axis_angle({0, 0, 1}, math::pi / 4);
  const BodyHandle gate =
      add_body(world, MotionType::Static, {{}, turned}, sensing(state::box({1, 1, 1})));
  // One ball is in the corner of the diamond's bounding box, the other in the diamond.
  add_dynamic(world, {1.1, 1.1, 0}, state::sphere(0.2f));
  const BodyHandle inside = add_dynamic(world, {0.6, 0.6, 0}, state::sphere(0.2f));
  world.step();
  const auto seen = world.sensor_overlaps(only_shape(world, gate));
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0], only_shape(world, inside));
}

/// Returns true if a sensor on a body with the motion type `sensor` detects a shape at the same
/// position, on a body with the motion type `visitor`. If `is_second` is true, this shape is also a
/// sensor.
bool sees(MotionType sensor, MotionType visitor, const Filter& filter = {},
          bool is_second = false) {
  World world(without_gravity());
  ShapeDef def = sensing(state::sphere(0.5f));
  const BodyHandle gate = add_body(world, sensor, {}, def);
  ShapeDef other = shape_def(state::sphere(0.5f));
  other.filter = filter;
  other.is_sensor = is_second;
  add_body(world, visitor, {}, other);
  run(world, 3);
  return !world.sensor_overlaps(only_shape(world, gate)).empty();
}

TEST(Sensor, DetectsAllPairsExceptTwoStaticBodies) {
  constexpr std::array motions{MotionType::Static, MotionType::Kinematic, MotionType::Dynamic};
  for (const MotionType sensor : motions) {
    for (const MotionType visitor : motions) {
      const bool is_dull = sensor == MotionType::Static && visitor == MotionType::Static;
      EXPECT_EQ(sees(sensor, visitor), !is_dull) << int(sensor) << int(visitor);
    }
  }
  EXPECT_FALSE(sees(MotionType::Static, MotionType::Dynamic, {1, 0, 0}));
  EXPECT_FALSE(sees(MotionType::Static, MotionType::Dynamic, {}, true));
}

TEST(Sensor, DoesNotDetectItsOwnBody) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::sphere(0.5f));
  const ShapeHandle sensor = world.add_shape(body, sensing(state::sphere(1)));
  run(world, 2);
  EXPECT_TRUE(world.sensor_overlaps(sensor).empty());
}

// Massless sensors must not change a bit of any motion.
TEST(Sensor, ChangesNoMotion) {
  const auto poses = [](bool has_sensors) {
    World world{WorldOptions{}};
    add_ground(world);
    const std::vector<BodyHandle> bodies = add_mixed_rain(world, 40, 5);
    if (has_sensors) {
      for (const BodyHandle body : bodies)
        world.add_shape(body, sensing(state::sphere(0.8f)));
      add_body(world, MotionType::Static, {}, sensing(state::box({2, 1, 2})));
    }
    run(world, 200);
    std::vector<math::Pose> all;
    for (const BodyHandle body : bodies)
      all.push_back(world.pose(body));
    return all;
  };
  EXPECT_EQ(poses(false), poses(true));
}

TEST(Sensor, AddsMassByItsDensity) {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::box({0.5f, 0.5f, 0.5f}));
  const float alone = world.mass(body);
  world.add_shape(body, sensing(state::sphere(1)));
  EXPECT_EQ(world.mass(body), alone);
  ShapeDef heavy = sensing(state::box({0.5f, 0.5f, 0.5f}));
  heavy.density = 1000;
  world.add_shape(body, heavy);
  EXPECT_NEAR(world.mass(body), 2 * alone, 1e-3f * alone);
}

TEST(Sensor, QueriesFindItOnlyIfTheFilterIncludesSensors) {
  World world(without_gravity());
  const BodyHandle gate =
      add_body(world, MotionType::Kinematic, {{9, 0, 0}, {}}, sensing(state::sphere(0.5f)));
  world.set_pose(gate, {});
  const Ray ray{{-3, 0, 0}, {6, 0, 0}};
  EXPECT_FALSE(world.cast_ray(ray, {}));
  EXPECT_TRUE(world.cast_ray(ray, {1, true}));
  EXPECT_TRUE(world.overlap_sphere({}, 0.1f, {}).empty());
  EXPECT_EQ(world.overlap_sphere({}, 0.1f, {1, true}).size(), 1U);
  EXPECT_FALSE(world.closest({state::sphere(0.1f), {}}, 1, {}));
  EXPECT_TRUE(world.closest({state::sphere(0.1f), {}}, 1, {1, true}));
}

// A sleeping body stays inside of a sensor; a destroyed one leaves it.
TEST(Sensor, KeepsSleepingBodiesAndDropsDestroyedOnes) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle gate = add_body(world, MotionType::Static, {}, sensing(state::box({2, 2, 2})));
  const BodyHandle a = add_dynamic(world, {-1, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  const BodyHandle b = add_dynamic(world, {1, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  const ShapeHandle sensor = only_shape(world, gate), visitor = only_shape(world, a);
  run(world, 120);
  ASSERT_FALSE(world.is_awake(a));
  EXPECT_EQ(world.sensor_overlaps(sensor).size(), 2U);
  world.destroy_body(a);
  EXPECT_EQ(world.sensor_overlaps(sensor).size(), 1U);
  world.step();
  ASSERT_EQ(world.sensor_ends().size(), 1U);
  EXPECT_EQ(world.sensor_ends()[0], (SensorEnd{sensor, visitor}));
  // A sleeping body leaves the sensor if a call moves it away, even if it is put to sleep again.
  world.set_pose(b, {{20, 0.5, 0}, {}});
  world.set_awake(b, false);
  world.step();
  EXPECT_TRUE(world.sensor_overlaps(sensor).empty());
  EXPECT_EQ(world.sensor_ends().size(), 1U);
  // When the sensor is destroyed, all overlaps end.
  world.set_pose(b, {{0, 0.5, 0}, {}});
  world.step();
  EXPECT_EQ(world.sensor_overlaps(sensor).size(), 1U);
  world.destroy_body(gate);
  world.step();
  ASSERT_EQ(world.sensor_ends().size(), 1U);
  EXPECT_EQ(world.sensor_ends()[0].sensor, sensor);
}

TEST(Sensor, DetectsSleepingBodiesWhenItIsMoved) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle gate =
      add_body(world, MotionType::Static, {{50, 0, 0}, {}}, sensing(state::box({1, 1, 1})));
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 120);
  ASSERT_FALSE(world.is_awake(box));
  world.set_pose(gate, {});
  world.step();
  EXPECT_EQ(world.sensor_overlaps(only_shape(world, gate)).size(), 1U);
  EXPECT_EQ(world.sensor_begins().size(), 1U);
}

// A fast ball is never inside at the end of a step. The ball must be reported if it passed through
// the gate, but not if it passed beside the gate.
TEST(Sensor, ReportsBodiesThatPassThroughWithinAStep) {
  base::Random random(11);
  int hits = 0, misses = 0;
  for (int i = 0; i < 100; ++i) {
    World world(without_gravity());
    const BodyHandle gate =
        add_body(world, MotionType::Static, {}, sensing(state::box({0.02f, 1, 1})));
    const float y = random.between(-2, 2);
    const BodyHandle ball = add_dynamic(world, {random.between(-6, -5), static_cast<double>(y), 0},
                                        state::sphere(0.05f));
    world.set_velocity(ball, {300, 0, 0}, {});
    int begins = 0, ends = 0;
    for (int step = 0; step < 5; ++step) {
      world.step();
      begins += static_cast<int>(world.sensor_begins().size());
      ends += static_cast<int>(world.sensor_ends().size());
    }
    if (std::abs(std::abs(y) - 1.05f) < 0.01f) continue;
    const int expected = std::abs(y) < 1.05f ? 1 : 0;
    EXPECT_EQ(begins, expected) << y;
    EXPECT_EQ(ends, expected) << y;
    ++(expected == 1 ? hits : misses);
    EXPECT_TRUE(world.sensor_overlaps(only_shape(world, gate)).empty());
  }
  EXPECT_GT(hits, 20);
  EXPECT_GT(misses, 20);
}

// The bounding box of the path contains the sensor. With an offset of 0.9 m the path passes beside
// the sensor, with 0.6 m it passes through it.
TEST(Sensor, DoesNotReportBodiesThatPassBesideIt) {
  for (const double offset : {0.9, 0.6}) {
    World world(without_gravity());
    add_body(world, MotionType::Static, {}, sensing(state::sphere(0.5f)));
    // In one step, the ball moves along the line x + y = offset·√2, from 4 m before its middle to 4
    // m after it.
    const double to_side = offset * std::sqrt(0.5), back = 4 * std::sqrt(0.5);
    const BodyHandle ball =
        add_dynamic(world, {to_side - back, to_side + back, 0}, state::sphere(0.25f));
    world.set_velocity(ball, {340, -340, 0}, {});
    int begins = 0;
    for (int i = 0; i < 3; ++i) {
      world.step();
      begins += static_cast<int>(world.sensor_begins().size());
    }
    EXPECT_EQ(begins, offset < 0.75 ? 1 : 0);
  }
}

TEST(Sensor, MovedSensorDetectsTheSameAfterRestore) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle gate =
      add_body(world, MotionType::Static, {{50, 0, 0}, {}}, sensing(state::box({1, 1, 1})));
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 120);
  ASSERT_FALSE(world.is_awake(box));
  world.set_pose(gate, {});
  const auto bytes = saved(world);
  World copy{WorldOptions{}};
  base::ByteReader reader(bytes);
  ASSERT_TRUE(copy.restore(reader).has_value());
  copy.step();
  EXPECT_EQ(copy.sensor_begins().size(), 1U);
  EXPECT_EQ(copy.sensor_overlaps(only_shape(copy, gate)).size(), 1U);
}

// Events and overlaps must agree, for any number of threads, and match a query for each sensor.
TEST(Sensor, EventsAndOverlapsMatchQueriesForAllThreadCounts) {
  const auto play = [](int threads) {
    World world{WorldOptions{}};
    world.set_execution({threads, world.execution().simd});
    add_ground(world);
    const std::vector<BodyHandle> bodies = add_mixed_rain(world, 60, 9);
    std::vector<BodyHandle> gates;
    base::Random random(4);
    for (int i = 0; i < 8; ++i) {
      const auto motion = i % 2 == 0 ? MotionType::Static : MotionType::Kinematic;
      const Position at{random.between(-2, 2), random.between(0, 3), random.between(-2, 2)};
      gates.push_back(
          add_body(world, motion, {at, random_rotation(random)}, sensing(random_shape(random))));
      if (i % 2 == 1) world.set_velocity(gates.back(), random_vector(random, 1), {0, 2, 1});
    }
    std::map<ShapeHandle, std::set<ShapeHandle>> inside;
    std::uint64_t events = 0;
    for (int step = 0; step < 240; ++step) {
      world.step();
      for (const SensorBegin& begin : world.sensor_begins()) {
        EXPECT_TRUE(inside[begin.sensor].insert(begin.visitor).second);
        events = events * 31 + begin.visitor.index;
      }
      for (const SensorEnd& end : world.sensor_ends())
        EXPECT_EQ(inside[end.sensor].erase(end.visitor), 1U);
      for (const BodyHandle gate : gates) {
        const ShapeHandle sensor = only_shape(world, gate);
        const auto overlaps = world.sensor_overlaps(sensor);
        EXPECT_TRUE(std::ranges::equal(overlaps, inside[sensor]));
        std::vector<ShapeHandle> asked =
            world.overlap_shape({world.shape_def(sensor).shape, world.pose(gate)}, {});
        const auto is_dull = [&](ShapeHandle shape) {
          return world.motion_type(gate) == MotionType::Static &&
                 world.motion_type(world.body_of(shape)) == MotionType::Static;
        };
        std::erase_if(asked, is_dull);
        EXPECT_TRUE(std::ranges::equal(overlaps, asked)) << step;
      }
    }
    return std::pair(world.hash(), events);
  };
  EXPECT_EQ(play(1), play(2));
}

}  // namespace
}  // namespace jostle::physics
