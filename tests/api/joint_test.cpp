// Tests of jostle/physics/joints.h against libjostle.so.
#include "tests/api/api_test.h"

#include <array>
#include <cmath>
#include <cstring>
#include <functional>

namespace jostle::api_test {
namespace {

jostle_joint_state state_of(jostle_world world, jostle_joint joint) {
  jostle_joint_state state;
  state.size = sizeof state;
  EXPECT_EQ(JOSTLE_OK, jostle_joint_get_state(world, joint, &state)) << jostle_last_error();
  return state;
}

struct Pair {
  World world;
  jostle_body anchor = world.add_body(JOSTLE_MOTION_STATIC, {0, 5, 0});
  jostle_body ball = world.add_ball({1, 5, 0});
  jostle_joint_def def = empty();

  static jostle_joint_def empty() {
    jostle_joint_def def;
    jostle_joint_def_default(&def);
    return def;
  }
  jostle_joint create() {
    jostle_joint joint{};
    EXPECT_EQ(JOSTLE_OK, jostle_joint_create(world, &def, &joint)) << jostle_last_error();
    return joint;
  }
};

TEST(ApiJoint, HingeSwingsWithinItsLimitsAndIsDrivenByItsMotor) {
  Pair p;
  JOSTLE_ASSERT_OK(jostle_joint_def_at(p.world, JOSTLE_JOINT_HINGE, p.anchor, p.ball, {0, 5, 0},
                                       {0, 0, 1}, &p.def));
  p.def.limits = {1, -0.5f, 0.5f};
  const jostle_joint joint = p.create();
  p.world.step(120);
  EXPECT_NEAR(-0.5f, state_of(p.world, joint).angle, 0.01f);
  EXPECT_LT(state_of(p.world, joint).position_error, 1e-3f);
  JOSTLE_ASSERT_OK(jostle_joint_set_limits(p.world, joint, {0, 0, 0}));
  JOSTLE_ASSERT_OK(jostle_joint_set_motor(p.world, joint, {1, 2, 1e5f}));
  p.world.step(60);
  jostle_vec3 angular{};
  JOSTLE_ASSERT_OK(jostle_body_get_velocity(p.world, p.ball, nullptr, &angular));
  EXPECT_NEAR(2, angular.z, 0.05f);
  jostle_joint_def read;
  read.size = sizeof read;
  JOSTLE_ASSERT_OK(jostle_joint_get_def(p.world, joint, &read));
  EXPECT_EQ(JOSTLE_JOINT_HINGE, read.kind);
  EXPECT_EQ(2.0f, read.motor.speed);
  JOSTLE_ASSERT_OK(jostle_joint_destroy(p.world, joint));
  EXPECT_EQ(0, jostle_joint_is_alive(p.world, joint));
}

TEST(ApiJoint, TheMotorOfABallIsFriction) {
  Pair p;
  JOSTLE_ASSERT_OK(jostle_joint_def_at(p.world, JOSTLE_JOINT_BALL, p.anchor, p.ball, {0, 5, 0},
                                       {1, 0, 0}, &p.def));
  p.def.motor = {1, 2, 1e5f};
  jostle_joint joint;
  EXPECT_EQ(JOSTLE_ERROR_INVALID_ARGUMENT, jostle_joint_create(p.world, &p.def, &joint));
  EXPECT_STREQ(
      "jostle_joint_create: motor.speed is 2; accepted: 0, because the motor of a ball "
      "joint is friction",
      jostle_last_error());
  p.def.motor.speed = 0;
  joint = p.create();
  const double before = p.world.pose(p.ball).position.y;
  p.world.step(60);
  EXPECT_NEAR(before, p.world.pose(p.ball).position.y, 1e-4);
  EXPECT_EQ(JOSTLE_ERROR_INVALID_ARGUMENT, jostle_joint_set_motor(p.world, joint, {1, 2, 1}));
  JOSTLE_ASSERT_OK(jostle_joint_set_motor(p.world, joint, {0, 0, 0}));
  p.world.step(60);
  EXPECT_LT(p.world.pose(p.ball).position.y, before - 0.1);
}

TEST(ApiJoint, BallSliderFixedAndDistanceKeepTheirConstraint) {
  for (const jostle_joint_kind kind :
       {JOSTLE_JOINT_BALL, JOSTLE_JOINT_SLIDER, JOSTLE_JOINT_FIXED}) {
    Pair p;
    JOSTLE_ASSERT_OK(
        jostle_joint_def_at(p.world, kind, p.anchor, p.ball, {0, 5, 0}, {1, 0, 0}, &p.def));
    const jostle_joint joint = p.create();
    p.world.step(30);
    EXPECT_LT(state_of(p.world, joint).position_error, 1e-3f) << kind;
    EXPECT_EQ(kind == JOSTLE_JOINT_BALL, p.world.pose(p.ball).position.y < 4.5) << kind;
  }
  Pair p;
  JOSTLE_ASSERT_OK(
      jostle_joint_def_distance(p.world, p.anchor, p.ball, {0, 5, 0}, {1, 5, 0}, &p.def));
  EXPECT_EQ(1.0f, p.def.rest);
  const jostle_joint joint = p.create();
  p.world.step(60);
  EXPECT_NEAR(1, state_of(p.world, joint).translation, 1e-3f);
}

TEST(ApiJoint, SpringAndConeCanBeSet) {
  Pair p;
  JOSTLE_ASSERT_OK(jostle_joint_def_at(p.world, JOSTLE_JOINT_BALL, p.anchor, p.ball, {0, 5, 0},
                                       {1, 0, 0}, &p.def));
  const jostle_joint ball = p.create();
  JOSTLE_ASSERT_OK(jostle_joint_set_cone(p.world, ball, {1, 0.3f}));
  p.world.step(120);
  EXPECT_NEAR(0.3f, state_of(p.world, ball).swing, 0.02f);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "cone.angle is 4",
                      jostle_joint_set_cone(p.world, ball, {1, 4}));
  Pair q;
  JOSTLE_ASSERT_OK(jostle_world_set_gravity(q.world, {9.81f, 0, 0}));
  JOSTLE_ASSERT_OK(
      jostle_joint_def_distance(q.world, q.anchor, q.ball, {0, 5, 0}, {1, 5, 0}, &q.def));
  q.def.spring = {1, 2, 1, 0};
  const jostle_joint spring = q.create();
  JOSTLE_ASSERT_OK(jostle_joint_set_spring(q.world, spring, {1, 2, 1, 1}, 2));
  q.world.step(600);
  // Under gravity, the spring sags by g/ω².
  const double sag = 9.81 / std::pow(2 * 3.14159265 * 2, 2);
  EXPECT_NEAR(2 + sag, state_of(q.world, spring).translation, 0.02);
}

TEST(ApiJoint, SixDofAxesAreLockedLimitedOrFree) {
  Pair p;
  JOSTLE_ASSERT_OK(
      jostle_joint_def_six_dof(p.world, p.anchor, p.ball, {1, 5, 0}, {0, 0, 0, 1}, &p.def));
  p.def.axes[1].freedom = JOSTLE_FREEDOM_LIMITED;
  p.def.axes[1].lower = -0.4f;
  const jostle_joint joint = p.create();
  p.world.step(90);
  EXPECT_NEAR(-0.4f, state_of(p.world, joint).axes[1], 0.01f);
  jostle_joint_axis axis = p.def.axes[1];
  axis.freedom = JOSTLE_FREEDOM_FREE;
  JOSTLE_ASSERT_OK(jostle_joint_set_axis(p.world, joint, 1, &axis));
  p.world.step(30);
  EXPECT_LT(state_of(p.world, joint).axes[1], -0.5f);
  EXPECT_LT(state_of(p.world, joint).rates[1], -1.0f);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "index is 6",
                      jostle_joint_set_axis(p.world, joint, 6, &axis));
}

TEST(ApiJoint, ServoDrivesABodyToItsTarget) {
  Pair p;
  JOSTLE_ASSERT_OK(jostle_joint_def_servo(p.world, p.anchor, p.ball, {1, 5, 0}, &p.def));
  p.def.spring.hertz = 4;
  p.def.spring.damping_ratio = 1;
  p.def.max_force = p.def.max_torque = 1e6f;
  const jostle_joint joint = p.create();
  const jostle_transform target{{2, 1, 0}, {0, 0, 0, 1}};
  JOSTLE_ASSERT_OK(jostle_joint_set_target(p.world, joint, &target));
  p.world.step(120);
  EXPECT_NEAR(2, p.world.pose(p.ball).position.x, 0.02);
  EXPECT_NEAR(6, p.world.pose(p.ball).position.y, 0.05);
}

TEST(ApiJoint, WheelIsSteeredAndBraked) {
  const World world;
  const jostle_body chassis = world.add_cube({0, 2, 0}), wheel = world.add_ball({2, 2, 0});
  jostle_joint_def def = Pair::empty();
  JOSTLE_ASSERT_OK(
      jostle_joint_def_wheel(world, chassis, wheel, {2, 2, 0}, {0, 1, 0}, {0, 0, 1}, &def));
  jostle_joint joint{};
  JOSTLE_ASSERT_OK(jostle_joint_create(world, &def, &joint));
  JOSTLE_ASSERT_OK(jostle_joint_set_steering(world, joint, 0.3f));
  JOSTLE_ASSERT_OK(jostle_joint_set_brake(world, joint, 10));
  world.step(30);
  EXPECT_NEAR(0.3f, state_of(world, joint).angle, 0.02f);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "accepted: -1.39626 to 1.39626",
                      jostle_joint_set_steering(world, joint, 2));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "not a servo",
                      jostle_joint_set_target(world, joint, &def.frame_a));
  JOSTLE_EXPECT_ERROR(
      JOSTLE_ERROR_INVALID_ARGUMENT, "nearly parallel",
      jostle_joint_def_wheel(world, chassis, wheel, {2, 2, 0}, {0, 1, 0}, {0, 1, 0}, &def));
}

TEST(ApiJoint, GearRackAndPulleyCoupleTheirBodies) {
  jostle_world_def settings = World::defaults();
  settings.gravity = {0, 0, 0};
  const World world(settings);
  const jostle_body a = world.add_ball({0, 0, 0}), b = world.add_ball({3, 0, 0});
  jostle_joint_def def = Pair::empty();
  jostle_joint joint{};
  JOSTLE_ASSERT_OK(jostle_joint_def_gear(world, a, b, {0, 0, 1}, {0, 0, 1}, 2, &def));
  JOSTLE_ASSERT_OK(jostle_joint_create(world, &def, &joint));
  JOSTLE_ASSERT_OK(jostle_body_set_velocity(world, a, {0, 0, 0}, {0, 0, 2}));
  world.step(10);
  jostle_vec3 of_a{}, of_b{};
  jostle_body_get_velocity(world, a, nullptr, &of_a);
  jostle_body_get_velocity(world, b, nullptr, &of_b);
  EXPECT_NEAR(0, of_a.z + 2 * of_b.z, 1e-3f);
  def.ratio = 3;
  JOSTLE_ASSERT_OK(jostle_joint_set_details(world, joint, &def));

  const jostle_body pinion = world.add_ball({0, 5, 0}), rack = world.add_cube({0, 8, 0});
  JOSTLE_ASSERT_OK(
      jostle_joint_def_rack_and_pinion(world, pinion, rack, {0, 0, 1}, {1, 0, 0}, 0.5f, &def));
  JOSTLE_ASSERT_OK(jostle_joint_create(world, &def, &joint));
  JOSTLE_ASSERT_OK(jostle_body_set_velocity(world, pinion, {0, 0, 0}, {0, 0, 2}));
  world.step(10);
  EXPECT_GT(std::abs(world.velocity(rack).x), 0.01f);

  const jostle_body left = world.add_ball({20, 0, 0}), right = world.add_ball({24, 0, 0});
  JOSTLE_ASSERT_OK(jostle_joint_def_pulley(world, left, right, {20, 0, 0}, {24, 0, 0}, {20, 5, 0},
                                           {24, 5, 0}, 1, &def));
  JOSTLE_ASSERT_OK(jostle_joint_create(world, &def, nullptr));
  JOSTLE_ASSERT_OK(jostle_body_set_velocity(world, left, {0, -1, 0}, {0, 0, 0}));
  world.step(30);
  EXPECT_GT(world.pose(right).position.y, 0.1);
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_world_get_joints(world, nullptr, 0, &count));
  EXPECT_EQ(3U, count);
}

TEST(ApiJoint, BreaksAboveItsForceAndReportsIt) {
  Pair p;
  JOSTLE_ASSERT_OK(jostle_joint_def_at(p.world, JOSTLE_JOINT_FIXED, p.anchor, p.ball, {0, 5, 0},
                                       {1, 0, 0}, &p.def));
  p.def.break_force = 10;
  const jostle_joint joint = p.create();
  p.world.step(1);
  jostle_joint_break event{};
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_world_get_joint_breaks(p.world, &event, 0, 1, &count));
  ASSERT_EQ(1U, count);
  EXPECT_EQ(joint.index, event.joint.index);
  EXPECT_EQ(p.ball.index, event.body_b.index);
  EXPECT_EQ(0, jostle_joint_is_alive(p.world, joint));
}

TEST(ApiJoint, MessagesNameTheValueThatIsWrong) {
  Pair p;
  JOSTLE_ASSERT_OK(jostle_joint_def_at(p.world, JOSTLE_JOINT_BALL, p.anchor, p.ball, {0, 5, 0},
                                       {1, 0, 0}, &p.def));
  const auto refused = [&](const char* part, const std::function<void(jostle_joint_def&)>& change) {
    jostle_joint_def def = p.def;
    change(def);
    jostle_joint joint{};
    EXPECT_NE(JOSTLE_OK, jostle_joint_create(p.world, &def, &joint));
    EXPECT_NE(std::string::npos, std::string(jostle_last_error()).find(part))
        << jostle_last_error();
    EXPECT_EQ(0U, joint.index);
  };
  refused("def->kind is 11", [](auto& def) { def.kind = 11; });
  refused("same body", [](auto& def) { def.body_b = def.body_a; });
  refused("null handle", [](auto& def) { def.body_a = {0, 0}; });
  refused("def->frame_a", [](auto& def) { def.frame_a.rotation.w = 5; });
  refused("limits.upper", [](auto& def) { def.limits = {1, 2, 1}; });
  refused("within ±π", [](auto& def) { def.limits = {1, 4, 5}; });
  refused("spring.hertz is nan", [](auto& def) { def.spring.hertz = NAN; });
  refused("only distance joints", [](auto& def) { def.spring.tension_only = 1; });
  refused("def->ratio is 0", [](auto& def) { def.ratio = 0; });
  refused("axes[4].freedom is 3", [](auto& def) { def.axes[4].freedom = 3; });
  refused("collide_connected is 2", [](auto& def) { def.collide_connected = 2; });
  refused("neither def->body_a nor def->body_b is dynamic", [&](auto& def) {
    def.body_b = p.world.add_body(JOSTLE_MOTION_STATIC, {0, 0, 0});
  });
}

}  // namespace
}  // namespace jostle::api_test
