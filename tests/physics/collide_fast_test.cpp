#include "shared/geometry/surface.h"
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

// A ball of 1 cm at 400 m/s moves 6.7 m in a step. It must hit every obstacle in its path, however
// thin or fast, and nothing else.

constexpr float speed = 400.0f, ball_radius = 0.005f;
constexpr int rounds = 60;

ShapeDef dense(const state::Shape& shape, float density) {
  ShapeDef def;
  def.shape = shape;
  def.density = density;
  return def;
}

BodyHandle fire(World& world, Position from, Vec3 velocity) {
  const BodyHandle ball = add_dynamic(world, from, state::sphere(ball_radius));
  world.set_velocity(ball, velocity, {});
  return ball;
}

/// Returns a random unit vector within about 45° of `axis`.
Vec3 around(base::Random& random, Vec3 axis) {
  return normalized_or(axis + random_vector(random, 0.4f), axis);
}

TEST(FastBodies, DoNotTunnelThroughAThinWall) {
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    const math::Quat turn = random_rotation(random);
    const Vec3 normal = rotate(turn, {0, 1, 0});
    add_body(world, MotionType::Static, {{}, turn}, shape_def(state::box({5, 1e-3f, 5})));
    const Vec3 direction = around(random, -normal);
    const Position from = to_position(direction * -random.between(0.1f, 12.0f));
    const BodyHandle ball = fire(world, from, direction * speed);
    for (int step = 0; step < 5; ++step) {
      world.step();
      ASSERT_GT(dot(world.pose(ball).position - Position{}, normal), 0.0f);
    }
  }
}

TEST(FastBodies, DoNotTunnelThroughAMovingPlate) {
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    const math::Quat turn = random_rotation(random);
    const Vec3 normal = rotate(turn, {0, 1, 0});
    const bool is_kinematic = random.chance(0.5f);
    const BodyHandle plate =
        add_body(world, is_kinematic ? MotionType::Kinematic : MotionType::Dynamic, {{}, turn},
                 dense(state::box({5, 1e-3f, 5}), 1e5f));
    world.set_velocity(plate, normal * random.between(-100, 100), {});
    const Vec3 direction = around(random, -normal);
    const Position from = to_position(direction * -random.between(0.1f, 8.0f));
    const BodyHandle ball = fire(world, from, direction * speed);
    for (int step = 0; step < 5; ++step) {
      world.step();
      ASSERT_GT(inverse_transform_point(world.pose(plate), world.pose(ball).position).y, 0.0f);
    }
  }
}

TEST(FastBodies, DoNotTunnelThroughATriangle) {
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    state::TriangleMesh mesh;
    mesh.vertices = {{-6, 0, -6}, {-6, 0, 6}, {6, 0, 6}, {6, 0, -6}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const math::Quat turn = random_rotation(random);
    const Vec3 normal = rotate(turn, {0, 1, 0});
    add_body(world, MotionType::Static, {{}, turn},
             shape_def(state::solid(geometry::share(std::move(mesh)))));
    const Vec3 direction = around(random, -normal);
    const Position from = to_position(direction * -random.between(0.1f, 12.0f));
    const BodyHandle ball = fire(world, from, direction * speed);
    for (int step = 0; step < 5; ++step) {
      world.step();
      ASSERT_GT(dot(world.pose(ball).position - Position{}, normal), 0.0f);
    }
  }
}

void add_mesh_ground(World& world) {
  state::TriangleMesh mesh;
  mesh.vertices = {{-40, 0, -40}, {-40, 0, 40}, {40, 0, 40}, {40, 0, -40}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  add_body(world, MotionType::Static, {},
           shape_def(state::solid(geometry::share(std::move(mesh)))));
}

// One end of the body lands first. The impact turns the body, and its other end hits the ground in
// the same step.
TEST(FastBodies, DoNotSinkThroughAMeshWithTheSecondEnd) {
  for (int i = 0; i < 20 * rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(WorldOptions{});
    add_mesh_ground(world);
    const bool is_cone = random.chance(0.5f);
    const state::Shape shape =
        is_cone ? state::cone(0.035f, 0.085f) : state::cylinder(0.03f, 0.085f);
    const BodyHandle body = add_body(world, MotionType::Dynamic,
                                     {{0, 0.5f, 0}, random_rotation(random)}, shape_def(shape));
    world.set_velocity(body, {0, -random.between(3, 20), 0}, {});
    for (int step = 0; step < 120; ++step) {
      world.step();
      ASSERT_GT(world.centre_of_mass(body).y, 0.0f) << "step " << step;
    }
  }
}

/// Returns the minimum distance of the two centres on their undisturbed paths.
float closest_approach(Position a, Vec3 velocity_a, Position b, Vec3 velocity_b) {
  const Vec3 between = b - a, velocity = velocity_b - velocity_a;
  const float time = -dot(between, velocity) / dot(velocity, velocity);
  return length(between + velocity * math::max_of(time, 0.0f));
}

TEST(FastBodies, CollideIfAndOnlyIfTheirPathsMeet) {
  int met = 0, missed = 0;
  for (int i = 0; i < 4 * rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    const Vec3 direction_a = normalized_or(random_vector(random, 1), {0, 0, 1});
    const Vec3 direction_b = around(random, -direction_a);
    const float distance = random.between(0.5f, 10.0f);
    const Position from_a = to_position(direction_a * -distance);
    const Position from_b =
        to_position(direction_b * -distance + random_vector(random, 2 * ball_radius));
    const BodyHandle a = fire(world, from_a, direction_a * speed);
    fire(world, from_b, direction_b * speed);
    const float nearest =
        closest_approach(from_a, direction_a * speed, from_b, direction_b * speed);
    bool has_met = false;
    for (int step = 0; step < 4; ++step) {
      world.step();
      has_met = has_met || !world.contact_begins().empty();
    }
    if (nearest < 1.9f * ball_radius) {
      ++met;
      EXPECT_TRUE(has_met);
    } else if (nearest > 2.2f * ball_radius) {
      ++missed;
      // A ball that hits nothing keeps its velocity. The speed limit may change the last bits.
      EXPECT_LT(length(world.linear_velocity(a) - direction_a * speed), 1e-3f);
    }
  }
  EXPECT_GT(met, 40);
  EXPECT_GT(missed, 15);
}

// The expected result comes from the exact paths of ball and stick, sampled every 5 µs.
TEST(FastBodies, HitASpinningStickIfTheirPathsMeet) {
  int met = 0;
  for (int i = 0; i < 2 * rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    const state::Shape shape = state::capsule(0.01f, 0.5f);
    const float spin = random.between(30, 120);
    const BodyHandle stick = add_body(world, MotionType::Kinematic, {}, dense(shape, 1e4f));
    world.set_velocity(stick, {}, {0, 0, spin});
    const Vec3 direction =
        normalized_or(Vec3{random.between(-1, 1), random.between(-1, 1), 0.2f}, {1, 0, 0});
    const Vec3 aim{random.between(-0.4f, 0.4f), random.between(-0.4f, 0.4f), 0};
    const float distance = random.between(1, 8);
    const Vec3 from = aim - direction * distance;
    const BodyHandle ball = fire(world, to_position(from), direction * speed);
    float nearest = 1e9f;
    for (float time = 0; time < 0.06f; time += 5e-6f) {
      const math::SinCos turn = math::sin_cos(spin * time);
      const Vec3 axis{-turn.sin, turn.cos, 0}, at = from + direction * (speed * time);
      const float along = math::clamp(dot(at, axis), -0.5f, 0.5f);
      nearest = math::min_of(nearest, length(at - axis * along));
    }
    bool has_met = false;
    for (int step = 0; step < 4; ++step) {
      world.step();
      has_met = has_met || !world.contact_begins().empty();
    }
    if (nearest < 0.8f * (0.01f + ball_radius)) {
      ++met;
      EXPECT_TRUE(has_met);
      EXPECT_NE(world.linear_velocity(ball), direction * speed);
    }
  }
  EXPECT_GT(met, 5);
}

// A ball that is deflected in mid-step must still hit the wall behind.
TEST(FastBodies, DoNotTunnelThroughAWallAfterABounce) {
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    ShapeDef mirror = shape_def(state::box({0.001f, 3, 3}));
    mirror.material.restitution = 1;
    add_body(world, MotionType::Static,
             {{}, math::from_axis_angle({0, 0, 1}, random.between(0.5f, 1.0f))}, mirror);
    add_body(world, MotionType::Static, {{0, -1.5, 0}, {}}, shape_def(state::box({9, 1e-3f, 9})));
    add_body(world, MotionType::Static, {{0, 3, 0}, {}}, shape_def(state::box({9, 1e-3f, 9})));
    const BodyHandle ball =
        fire(world, {random.between(1, 7), 0, 0}, Vec3{-speed, random.between(-20, 20), 0});
    for (int step = 0; step < 6; ++step) {
      world.step();
      ASSERT_GT(world.pose(ball).position.y, -1.5);
      ASSERT_LT(world.pose(ball).position.y, 3.0);
    }
  }
}

// An off-centre impact spins a light body by many turns within the substep.
TEST(FastBodies, CollideEvenIfTheImpactSpinsThemFast) {
  for (int i = 0; i < 600; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    const float size = random.between(0.01f, 0.05f);
    const state::Shape shapes[]{state::cylinder(size, 0.7f * size),
                                state::capsule(0.4f * size, 0.7f * size),
                                state::box({size, 0.7f * size, 0.8f * size})};
    const BodyHandle light =
        add_body(world, MotionType::Dynamic,
                 {{random.between(-8, -1), random.between(-0.25f, 0.25f) * size,
                   random.between(-0.25f, 0.25f) * size},
                  random_rotation(random)},
                 shape_def(shapes[random.below(3)]));
    world.set_velocity(light, {random.between(50, 390), 0, 0}, {});
    const BodyHandle ball = add_dynamic(world, {0.3, 0, 0}, state::sphere(0.3f));
    run(world, 20);
    EXPECT_GT(world.linear_velocity(ball).x, 0.0f);
  }
}

// A kinematic plate does not stop when it hits a body.
TEST(FastBodies, DoNotTunnelThroughAnApproachingKinematicPlate) {
  for (int i = 0; i < 600; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    const float thickness = random.between(0.001f, 0.02f), size = random.between(0.01f, 0.1f);
    const BodyHandle plate =
        add_body(world, MotionType::Kinematic, {}, shape_def(state::box({thickness, 30, 30})));
    world.set_velocity(plate, {random.between(-20, -10), 0, 0}, {});
    const state::Shape shapes[]{state::cylinder(size, 0.4f * size),
                                state::box({size, 0.6f * size, 1.4f * size})};
    const BodyHandle body = add_body(world, MotionType::Dynamic,
                                     {{random.between(-10, -1), 0, 0}, random_rotation(random)},
                                     shape_def(shapes[random.below(2)]));
    world.set_velocity(body, {random.between(50, 390), 0, 0}, {});
    for (int step = 0; step < 20; ++step) {
      world.step();
      ASSERT_LT(world.pose(body).position.x, world.pose(plate).position.x) << step;
    }
  }
}

TEST(FastBodies, PassBodiesExcludedByAFilterOrJoint) {
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_gravity());
    ShapeDef plate = shape_def(state::box({5, 1e-3f, 5}));
    const bool is_joined = i % 2 == 0;
    if (!is_joined) plate.filter.mask = 0;
    const BodyHandle wall =
        add_body(world, i % 3 == 0 ? MotionType::Kinematic : MotionType::Static, {{}, {}}, plate);
    const Vec3 velocity = around(random, {0, -1, 0}) * speed;
    const Position from = to_position(velocity * (-0.003f * random.between(0.1f, 5.0f)));
    const BodyHandle ball = fire(world, from, velocity);
    if (is_joined) {
      JointDef rope = make_joint_def(world, JointKind::Distance, wall, ball, from, {0, 1, 0});
      rope.limits = {true, 0, 1000};
      world.create_joint(rope);
    }
    run(world, 3);
    const Vec3 flown = world.pose(ball).position - from;
    EXPECT_LT(length(flown - velocity * (3 / 60.0f)), 1e-3f);
  }
}

// At this speed, the bounds of the body's path must not overflow when they select the mesh's
// triangles.
TEST(FastBodies, DoNotPassAMeshAtOverflowingSpeeds) {
  WorldOptions options;
  options.gravity = {0, -1e38f, 0};
  World world(options);
  add_mesh_ground(world);
  const BodyHandle body = add_dynamic(world, {0, 1, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 5);
  const Position at = world.pose(body).position;
  EXPECT_TRUE(is_finite(at) && is_finite(world.pose(body).rotation));
  EXPECT_TRUE(is_finite(world.linear_velocity(body)) && is_finite(world.angular_velocity(body)));
  EXPECT_GT(at.y, 0.4);
  EXPECT_LT(at.y, 1.001);
}

TEST(FastBodies, PassACornerWithoutContact) {
  World world(without_gravity());
  add_body(world, MotionType::Static, {}, shape_def(state::box({0.5f, 0.5f, 0.5f})));
  const BodyHandle ball = fire(world, {-3, 0.54, 0}, {speed, 0, 0});
  const BodyHandle slow = fire(world, {-3, 0.54, 0.2}, {60, 0, 0});
  run(world, 12);
  EXPECT_EQ(world.linear_velocity(ball), (Vec3{speed, 0, 0}));
  EXPECT_EQ(world.linear_velocity(slow), (Vec3{60, 0, 0}));
}

/// A rotor of any speed pushes a ball in the direction in which it turns, within the first step.
TEST(FastBodies, AreHitByRotorsAboveHalfATurnPerStep) {
  for (const float turn : {150.0f, 184.0f, 200.0f, 260.0f}) {  // degrees per step
    for (const float side : {-1.0f, 1.0f}) {
      SCOPED_TRACE(::testing::Message() << turn << " " << side);
      WorldOptions options = without_gravity();
      options.max_angular_speed = 500;
      World world(options);
      const BodyHandle rotor =
          add_body(world, MotionType::Kinematic, {}, shape_def(state::box({0.9f, 0.015f, 0.015f})));
      const float rate = side * turn * math::pi / 180 * 60;
      world.set_velocity(rotor, {}, {0, 0, rate});
      const math::SinCos at = math::sin_cos(side * 100 * math::pi / 180);
      const BodyHandle ball = add_dynamic(world, math::to_position(Vec3{at.cos, at.sin, 0} * 0.5f),
                                          state::sphere(0.03f));
      world.step();
      const Vec3 along{-at.sin * side, at.cos * side, 0};
      EXPECT_GT(dot(world.linear_velocity(ball), along), 0.8f * std::abs(rate) * 0.5f);
    }
  }
}

}  // namespace
}  // namespace jostle::physics
