#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

using std::numbers::pi;

constexpr double step = 1 / 60.0;

double speed_of(const World& world, BodyHandle body) {
  return static_cast<double>(length(world.linear_velocity(body)));
}
Position place(const World& world, BodyHandle body) {
  return world.centre_of_mass(body);
}
double far_from(Position a, Position b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}
double momentum_size(const World& world) {
  Vec3 sum;
  for (const BodyHandle body : world.bodies())
    sum += world.linear_velocity(body) * world.mass(body);
  return static_cast<double>(length(sum));
}

ForceFieldHandle attract(World& world, float strength, std::int32_t exponent = 2) {
  return world.create_force_field({forces::Attraction{{}, {strength, 0, 0, exponent}}, {}});
}

BodyHandle add_charged_ball(World& world, Position at, float mass, float charge,
                            Vec3 velocity = {}) {
  BodyDef def;
  def.pose.position = at;
  def.mass = mass;
  def.charge = charge;
  def.linear_velocity = velocity;
  const BodyHandle body = world.create_body(def);
  ShapeDef shape = shape_def(state::sphere(0.1f));
  shape.filter.mask = 0;
  world.add_shape(body, shape);
  return body;
}

/// Returns the period in seconds of an orbit in the xz-plane that starts at its apoapsis or
/// periapsis.
double turn_seconds(double start, double share_of_circular_speed) {
  World world(without_gravity());
  attract(world, 100);
  const double speed = share_of_circular_speed * std::sqrt(100 / start);
  const BodyHandle body =
      add_charged_ball(world, {start, 0, 0}, 3, 0, {0, 0, static_cast<float>(speed)});
  double before = 0;
  for (int i = 1; i < 20'000; ++i) {
    world.step();
    const double angle = std::atan2(place(world, body).z, place(world, body).x);
    if (before < 0 && angle >= 0) return (i - angle / (angle - before)) * step;
    before = angle;
  }
  return 0;
}

TEST(AttractionField, OrbitsFollowKeplersThirdLaw) {
  for (const auto& [start, share] :
       {std::pair{8.0, 1.0}, {12.0, 0.8}, {16.0, 0.7}, {10.0, 1.2}, {6.0, 1.3}}) {
    // The semi-major axis a follows from 1/a = 2/r − v²/GM.
    const double axis = start / (2 - share * share);
    const double expected = 2 * pi * std::sqrt(axis * axis * axis / 100);
    EXPECT_NEAR(turn_seconds(start, share) / expected, 1, 3e-4) << start << ' ' << share;
  }
}

TEST(AttractionField, EllipticOrbitReturnsToItsStart) {
  World world(without_gravity());
  attract(world, 100);
  // The orbit takes 600 steps.
  const double axis = std::cbrt(100 * 100 / (4 * pi * pi)), e = 0.3;
  const Position start{axis * (1 - e), 0, 0};
  const double speed = std::sqrt(100 / axis * (1 + e) / (1 - e));
  const BodyHandle body = add_charged_ball(world, start, 3, 0, {0, static_cast<float>(speed), 0});
  run(world, 600);
  EXPECT_LT(far_from(place(world, body), start), 2e-3 * axis);
  run(world, 300);
  EXPECT_LT(far_from(place(world, body), {-axis * (1 + e), 0, 0}), 4e-3 * axis);
}

TEST(AttractionField, OrbitIsTimeReversible) {
  World world(without_gravity());
  attract(world, 100);
  const BodyHandle body = add_charged_ball(world, {8, 0, 0}, 3, 0, {0.5f, 3, 1});
  run(world, 500);
  world.set_velocity(body, -world.linear_velocity(body), {});
  run(world, 500);
  EXPECT_LT(far_from(place(world, body), {8, 0, 0}), 1e-3);
}

TEST(AttractionField, LinearLawOscillatesAtOneFrequency) {
  for (const float amplitude : {0.1f, 5.0f}) {
    World world(without_gravity());
    attract(world, 4, -1);  // 2 rad/s
    const BodyHandle body = add_charged_ball(world, {static_cast<double>(amplitude), 0, 0}, 7, 0);
    const int turns = 10;
    const double seconds = turns * pi;
    const int steps = static_cast<int>(seconds / step);
    run(world, steps);
    const double expected = std::cos(2 * steps * step);
    EXPECT_NEAR(place(world, body).x / static_cast<double>(amplitude), expected, 1e-2);
    EXPECT_NEAR(place(world, body).y, 0, 1e-9);
  }
}

TEST(AccelerationField, ActsLikeGravity) {
  World world(without_gravity()), other(without_sleep());
  world.create_force_field({forces::Acceleration{{}, {0, -9.81f, 0}}, {}});
  const BodyHandle a = add_dynamic(world, {0, 50, 0}, state::box({0.3f, 0.4f, 0.5f}));
  const BodyHandle b = add_dynamic(other, {0, 50, 0}, state::box({0.3f, 0.4f, 0.5f}));
  run(world, 120);
  run(other, 120);
  EXPECT_LT(far_from(place(world, a), place(other, b)), 1e-4);
  EXPECT_NEAR(place(world, a).y, 50 - 9.81 * 2, 3e-4);
}

TEST(AccelerationField, ActsOnlyInsideItsRegion) {
  World world(without_gravity());
  world.create_force_field(
      {forces::Acceleration{{forces::RegionKind::Box, {}, {2, 1, 1}, 0}, {3, 0, 0}}, {}});
  const BodyHandle inside = add_charged_ball(world, {1.9, 0, 0}, 1, 0);
  const BodyHandle outside = add_charged_ball(world, {0, 1.1, 0}, 1, 0);
  run(world, 120);
  // The expected speed is √(2·3·0.1), apart from the effect of the step in which the body leaves
  // the region.
  EXPECT_NEAR(speed_of(world, inside), std::sqrt(0.6), 0.05);
  EXPECT_EQ(speed_of(world, outside), 0);
}

TEST(DragField, LinearDragMatchesTheExactSolution) {
  for (const float rate : {0.3f, 20.0f, 5e3f}) {
    World world(without_gravity());
    world.create_force_field({forces::Drag{{}, {1, 0, 0}, rate, 0, 0}, {}});
    const BodyHandle body = add_charged_ball(world, {}, 2, 0, {5, 2, 0});
    run(world, 60);
    const double c = static_cast<double>(rate), left = std::exp(-c);
    EXPECT_NEAR(static_cast<double>(world.linear_velocity(body).x), 1 + 4 * left, 1e-4) << rate;
    EXPECT_NEAR(static_cast<double>(world.linear_velocity(body).y), 2 * left, 1e-4) << rate;
    EXPECT_NEAR(place(world, body).x, 1 + 4 * (1 - left) / c, 1e-4) << rate;
    EXPECT_NEAR(place(world, body).y, 2 * (1 - left) / c, 1e-4) << rate;
  }
}

TEST(DragField, DampsRotation) {
  World world(without_gravity());
  world.create_force_field({forces::Drag{{}, {}, 0, 0, 2}, {}});
  const BodyHandle body = add_charged_ball(world, {}, 2, 0);
  world.set_velocity(body, {}, {0, 3, 0});
  run(world, 60);
  EXPECT_NEAR(static_cast<double>(world.angular_velocity(body).y), 3 * std::exp(-2.0), 1e-5);
}

TEST(DragField, QuadraticDragMatchesTheExactSolution) {
  World world(without_gravity());
  world.create_force_field({forces::Drag{{}, {}, 0, 0.2f, 0}, {}});
  const BodyHandle body = add_charged_ball(world, {}, 2, 0, {0, 0, 30});
  run(world, 120);
  EXPECT_NEAR(speed_of(world, body), 30 / (1 + 0.2 * 30 * 2), 1e-4);
  // Within a step, the speed in the engine decays exponentially and not along the exact hyperbola.
  EXPECT_NEAR(place(world, body).z, std::log(1 + 0.2 * 30 * 2) / 0.2, 3e-3);
}

TEST(DragField, NeverReversesVelocitiesAtAnyStrength) {
  for (const auto& [linear, quadratic] : {std::pair{1e6f, 0.0f}, {0.0f, 1e6f}, {1e6f, 1e6f}}) {
    World world(without_gravity());
    world.create_force_field({forces::Drag{{}, {}, linear, quadratic, 1e6f}, {}});
    const BodyHandle body = add_charged_ball(world, {}, 2, 0, {100, 0, 0});
    world.set_velocity(body, {100, 0, 0}, {0, 50, 0});
    double before = 0;
    for (int i = 0; i < 30; ++i) {
      world.step();
      EXPECT_GE(world.linear_velocity(body).x, 0);
      EXPECT_GE(world.angular_velocity(body).y, 0);
      EXPECT_GE(place(world, body).x, before);
      before = place(world, body).x;
    }
  }
}

TEST(WindField, BallFallsAtItsTerminalVelocity) {
  World world(without_sleep());
  world.create_force_field({forces::Wind{{}, {}, 1.2f, 0.47f, 0}, {}});
  const BodyHandle body = add_charged_ball(world, {0, 0, 0}, 0.05f, 0);
  run(world, 600);
  const double area = pi * 0.01;
  EXPECT_NEAR(-static_cast<double>(world.linear_velocity(body).y),
              std::sqrt(2 * 0.05 * 9.81 / (1.2 * 0.47 * area)), 1e-3);
}

TEST(WindField, AcceleratesALightBallToTheWindSpeed) {
  World world(without_gravity());
  world.create_force_field({forces::Wind{{}, {8, 0, 0}, 1.2f, 1, 0}, {}});
  const BodyHandle body = add_charged_ball(world, {}, 1e-3f, 0);
  float before = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    const Vec3 velocity = world.linear_velocity(body);
    EXPECT_GE(velocity.x, before);
    EXPECT_LE(velocity.x, 8.0f);
    EXPECT_EQ(velocity.y, 0.0f);
    EXPECT_EQ(velocity.z, 0.0f);
    before = velocity.x;
  }
  EXPECT_GT(before, 7.9f);
}

TEST(WindField, ForceIsProportionalToTheProjectedArea) {
  const auto speed_after_a_second = [](Vec3 wind) {
    World world(without_gravity());
    world.create_force_field({forces::Wind{{}, wind, 1.2f, 1, 0}, {}});
    const BodyHandle board = add_dynamic(world, {}, state::box({1, 0.05f, 1}));
    run(world, 60);
    return speed_of(world, board);
  };
  // The faces have areas of 4 m² and 0.2 m². The speeds are still low, so they are nearly
  // proportional to the areas.
  EXPECT_NEAR(speed_after_a_second({0, 5, 0}) / speed_after_a_second({5, 0, 0}), 20, 0.8);
}

TEST(ChargesField, EqualChargesSeparateWithOppositeMomenta) {
  World world(without_gravity());
  world.create_force_field({forces::Charges{{50, 0, 0, 2}}, {}});
  const BodyHandle a = add_charged_ball(world, {-0.5, 0, 0}, 1, 2);
  const BodyHandle b = add_charged_ball(world, {0.5, 0, 0}, 3, 2);
  run(world, 600);
  EXPECT_LT(momentum_size(world), 1e-4);
  EXPECT_NEAR(speed_of(world, a) / speed_of(world, b), 3, 1e-4);
  // Little of the initial energy of 50·2·2/1 J is left as potential energy at this distance.
  const double apart = far_from(place(world, a), place(world, b));
  const double energy = 0.5 * speed_of(world, a) * speed_of(world, a) +
                        1.5 * speed_of(world, b) * speed_of(world, b) + 200 / apart;
  EXPECT_NEAR(energy / 200, 1, 0.01);
}

TEST(ChargesField, ThreeBodiesConserveMomentumAndEnergy) {
  World world(without_gravity());
  const double strength = -60;  // as gravity between masses
  world.create_force_field({forces::Charges{{static_cast<float>(strength), 1, 0, 2}}, {}});
  const std::array bodies{add_charged_ball(world, {3, 0, 0}, 2, 2, {0, 3, 0.5f}),
                          add_charged_ball(world, {-3, 1, 0}, 3, 3, {0, -2, 0.5f}),
                          add_charged_ball(world, {0, 0, 9}, 1, 1, {0, 0, -2.5f})};
  const auto energy = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      sum += kinetic_energy(world, bodies[i]);
      for (std::size_t k = 0; k < i; ++k) {
        const double apart = far_from(place(world, bodies[i]), place(world, bodies[k]));
        sum += strength * static_cast<double>(world.charge(bodies[i]) * world.charge(bodies[k])) /
               std::sqrt(apart * apart + 1);
      }
    }
    return sum;
  };
  const double start = energy(), momentum = momentum_size(world);
  EXPECT_NEAR(momentum, 0, 1e-6);
  run(world, 600);
  EXPECT_LT(momentum_size(world), 2e-4);
  EXPECT_NEAR(energy() / start, 1, 2e-3);
}

TEST(ChargesField, StaticBodiesActOnDynamicOnes) {
  World world(without_gravity());
  world.create_force_field({forces::Charges{{-30, 0, 0, 2}}, {}});
  BodyDef def;
  def.motion = MotionType::Static;
  def.charge = 5;
  const BodyHandle sun = world.create_body(def);
  // the speed of a circular orbit is √(150/6)
  const BodyHandle planet = add_charged_ball(world, {6, 0, 0}, 1, 1, {0, 5, 0});
  for (int i = 0; i < 900; ++i) {
    world.step();
    ASSERT_NEAR(far_from(place(world, planet), {}), 6, 6e-3);
  }
  EXPECT_EQ(place(world, sun), Position{});
}

TEST(PoleField, OnABodyConservesMomentum) {
  World world(without_gravity());
  const BodyHandle bar = add_dynamic(world, {}, state::box({1, 0.1f, 0.1f}));
  forces::Pole pole{{1, 0, 0}, {500, 0.2f, 0, 2}};
  world.create_force_field({pole, bar});
  const BodyHandle ball = add_charged_ball(world, {1.5, 1, 0.5}, 40, 2);
  const auto momentum_about_origin = [&] {
    Vec3 sum = angular_momentum(world, bar) + angular_momentum(world, ball);
    for (const BodyHandle body : {bar, ball}) {
      sum += cross(place(world, body) - Position{}, world.linear_velocity(body) * world.mass(body));
    }
    return static_cast<double>(length(sum));
  };
  run(world, 120);
  const double moved = speed_of(world, ball) * 40;
  EXPECT_GT(moved, 20);
  EXPECT_GT(length(world.angular_velocity(bar)), 0.1f);
  EXPECT_LT(momentum_size(world), 1e-4 * moved);
  // The forces act along the line between pole and ball, so angular momentum is conserved too,
  // except for the rotation of the pole within a step.
  EXPECT_LT(momentum_about_origin(), 0.01 * moved);
}

TEST(PoleField, InTheWorldHoldsASleepingBallUnderACeiling) {
  World world{WorldOptions{}};
  add_body(world, MotionType::Static, {{0, 3, 0}, {}}, shape_def(state::box({2, 0.5f, 2})));
  forces::Pole magnet{{0, 2.6, 0}, {-200, 0.1f, 0, 2}};
  const ForceFieldHandle field = world.create_force_field({magnet, {}});
  BodyDef def;
  def.pose.position = {0, 1.9, 0};
  def.mass = 2;
  def.charge = 1;
  const BodyHandle ball = world.create_body(def);
  world.add_shape(ball, shape_def(state::sphere(0.3f)));
  run(world, 240);
  EXPECT_FALSE(world.is_awake(ball));
  EXPECT_NEAR(place(world, ball).y, 2.2, 0.01);
  world.destroy_force_field(field);
  EXPECT_TRUE(world.is_awake(ball));
  run(world, 30);
  EXPECT_LT(place(world, ball).y, 1.5);
}

TEST(ThrustField, AtAPointAcceleratesAndTurnsItsBody) {
  World world(without_gravity());
  const BodyHandle box = add_dynamic(world, {}, state::box({0.5f, 0.5f, 0.5f}));
  world.create_force_field({forces::Thrust{{0, 0, 1000}, {0, 0, 50}, {0.3f, 0, 0}, false}, box});
  world.step();
  EXPECT_NEAR(static_cast<double>(world.linear_velocity(box).z), step, 1e-6);
  const double inertia = static_cast<double>(world.inertia_local(box).cx.x);
  EXPECT_NEAR(static_cast<double>(world.angular_velocity(box).y), -300 * step / inertia, 1e-5);
  EXPECT_NEAR(static_cast<double>(world.angular_velocity(box).z), 50 * step / inertia, 1e-6);
}

TEST(ThrustField, InTheBodyFrameTurnsWithItsBody) {
  World world(without_gravity());
  const BodyHandle ship = add_charged_ball(world, {}, 2, 0);
  world.set_velocity(ship, {}, {0, 2, 0});
  world.create_force_field({forces::Thrust{{6, 0, 0}, {}, {}, true}, ship});
  // v̇ = 3·(cos 2t, 0, −sin 2t): after a period of π seconds the ship is at rest.
  run(world, 94);  // half a period
  const double t = 94 * step;
  EXPECT_NEAR(static_cast<double>(world.linear_velocity(ship).x), 1.5 * std::sin(2 * t), 2e-3);
  EXPECT_NEAR(static_cast<double>(world.linear_velocity(ship).z), 1.5 * (std::cos(2 * t) - 1),
              2e-3);
}

TEST(ThrustField, IsDestroyedWithItsBody) {
  World world(without_gravity());
  const BodyHandle box = add_dynamic(world, {}, state::box({0.5f, 0.5f, 0.5f}));
  const ForceFieldHandle thrust = world.create_force_field({forces::Thrust{}, box});
  const ForceFieldHandle other = attract(world, 1);
  EXPECT_EQ(world.force_field_count(), 2U);
  world.destroy_body(box);
  EXPECT_FALSE(world.is_alive(thrust));
  EXPECT_EQ(world.force_fields(), std::vector{other});
}

TEST(Fields, DoNotActOnBodiesThatIgnoreThem) {
  World world(without_gravity());
  attract(world, 100);
  world.create_force_field({forces::Drag{{}, {5, 5, 5}, 1, 1, 1}, {}});
  BodyDef def;
  def.pose.position = {3, 0, 0};
  def.ignores_force_fields = true;
  const BodyHandle body = world.create_body(def);
  run(world, 60);
  EXPECT_EQ(place(world, body), (Position{3, 0, 0}));
  world.create_force_field({forces::Thrust{{1, 0, 0}, {}, {}, false}, body});
  run(world, 60);
  EXPECT_GT(speed_of(world, body), 0.9);
}

TEST(Fields, AddUpInAnyNumber) {
  World world(without_gravity());
  for (int i = 0; i < 10; ++i)
    world.create_force_field({forces::Acceleration{{}, {0.1f, 0, 0}}, {}});
  const BodyHandle body = add_charged_ball(world, {}, 1, 0);
  run(world, 60);
  EXPECT_NEAR(speed_of(world, body), 1, 1e-5);
}

TEST(Explosion, PushesBodiesOutwardsWithoutNetMomentum) {
  World world(without_gravity());
  for (const Vec3 at : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}})
    add_dynamic(world, Position{} + at * 2, state::sphere(0.5f));
  const BodyHandle far = add_dynamic(world, {9, 0, 0}, state::sphere(0.5f));
  world.explode({{}, 5, 1000});
  const double expected = 1000 * pi * 0.25 * (1 - 1.5 / 5);
  for (const BodyHandle body : world.bodies()) {
    if (body == far) continue;
    EXPECT_NEAR(speed_of(world, body) * static_cast<double>(world.mass(body)), expected, 0.01);
    EXPECT_GT(dot(world.linear_velocity(body), place(world, body) - Position{}), 0);
  }
  EXPECT_EQ(speed_of(world, far), 0);
  EXPECT_LT(momentum_size(world), 1e-3);
}

TEST(Explosion, WakesAndTurnsBodiesWithinItsRadius) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  const BodyHandle near = add_dynamic(world, {0, 1, 0}, state::box({0.2f, 1, 0.2f}));
  const BodyHandle far = add_dynamic(world, {30, 1, 0}, state::box({0.2f, 1, 0.2f}));
  run(world, 120);
  ASSERT_FALSE(world.is_awake(near));
  world.explode({{-2, 1.8, 0}, 6, 500});
  EXPECT_TRUE(world.is_awake(near));
  EXPECT_FALSE(world.is_awake(far));
  EXPECT_GT(world.linear_velocity(near).x, 0.5f);
  EXPECT_LT(world.angular_velocity(near).z, -0.5f);
  EXPECT_EQ(world.linear_velocity(ground), Vec3{});
}

}  // namespace
}  // namespace jostle::physics
