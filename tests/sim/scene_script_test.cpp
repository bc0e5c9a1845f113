#include "shared/math/trig.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

constexpr float step_seconds = 1.0f / 60.0f;
constexpr float crate_mass = 100;  // kg, see small_scene

/// Returns `small_scene` with its crate floating in zero gravity and with `push` acting on it.
scene::SceneDef pushed_crate(state::Push push) {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {};
  scene.bodies[1].pose.position = {0, 10, 0};
  push.bodies = {1};
  scene.pushes = {std::move(push)};
  return scene;
}

state::Push impulse(float size, double start, double every, std::uint32_t count) {
  state::Push push;
  push.start = start;
  push.kind = state::ImpulsePush{{size, 0, 0}, {}, every, count};
  return push;
}

/// Returns, for each tick, the total number of impulses of 100 N·s that the crate has received.
std::vector<int> impulses_until(Simulation& simulation, int ticks) {
  std::vector<int> counts;
  for (int i = 0; i < ticks; ++i) {
    step(simulation);
    counts.push_back(static_cast<int>(velocity_of(simulation, crate_id).x + 0.5f));
  }
  return counts;
}

TEST(SceneImpulses, ActBeforeTheNearestStep) {
  // Half a second is 30 steps, so the crate first moves in step 30, counted from 0. The 31st tick
  // makes this step. The other two start times round to the same step.
  for (const double start : {0.5, 0.5 + 0.4 / 60, 0.5 - 0.4 / 60}) {
    SCOPED_TRACE(start);
    const auto simulation = simulate(pushed_crate(impulse(100, start, 0, 0)));
    step_many(*simulation, 30);
    EXPECT_EQ(velocity_of(*simulation, crate_id), math::Vec3{});
    step(*simulation);
    EXPECT_FLOAT_EQ(velocity_of(*simulation, crate_id).x, 100 / crate_mass);
    step_many(*simulation, 100);
    EXPECT_FLOAT_EQ(velocity_of(*simulation, crate_id).x, 100 / crate_mass);
  }
}

TEST(SceneImpulses, ActInTheFirstTickByDefault) {
  const auto simulation = simulate(pushed_crate(impulse(100, 0, 0, 0)));
  step(*simulation);
  EXPECT_FLOAT_EQ(velocity_of(*simulation, crate_id).x, 100 / crate_mass);
}

TEST(SceneImpulses, RepeatCountTimes) {
  const auto simulation = simulate(pushed_crate(impulse(100, 2.0 / 60, 3.0 / 60, 3)));
  EXPECT_EQ(impulses_until(*simulation, 14),
            (std::vector<int>{0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3}));
}

TEST(SceneImpulses, RepeatUntilTheEndTimeWithoutACount) {
  state::Push push = impulse(100, 0, 2.0 / 60, 0);
  const auto endless = simulate(pushed_crate(push));
  EXPECT_EQ(impulses_until(*endless, 240).back(), 120);
  push.end = 4.0 / 60;
  const auto ended = simulate(pushed_crate(push));
  EXPECT_EQ(impulses_until(*ended, 8), (std::vector<int>{1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(SceneImpulses, CloserThanAStepAreCombined) {
  // There are four impulses per step, and none of them may be lost. Each acts before the step
  // nearest to its time.
  const auto simulation = simulate(pushed_crate(impulse(100, 0, 0.25 / 60, 100)));
  EXPECT_EQ(impulses_until(*simulation, 40).back(), 100);
}

TEST(SceneImpulses, OffCentreImpulsesRotateTheBody) {
  state::Push push;
  push.kind = state::ImpulsePush{{0, 0, 60}, {0.5f, 0, 0}, 0, 0};
  const auto simulation = simulate(pushed_crate(push));
  step(*simulation);
  EXPECT_FLOAT_EQ(velocity_of(*simulation, crate_id).z, 60 / crate_mass);
  // The angular impulse is r × J = (0.5, 0, 0) × (0, 0, 60), and a cube of 1 m has the moment of
  // inertia m/6.
  const math::Vec3 turning = simulation->world().angular_velocity(*simulation->find_body(crate_id));
  EXPECT_NEAR(turning.y, -0.5f * 60 / (crate_mass / 6), 1e-4f);
}

TEST(SceneVelocities, OscillateAndKeepTheBodyAwake) {
  state::Push push;
  push.start = 1;
  push.end = 3;
  push.kind = state::VelocityPush{{{1, 0, 2}, {2, 1, 4}, {0, 0, 0.25f}}};
  scene::SceneDef scene = pushed_crate(push);
  scene.bodies[1].is_awake = false;
  const auto simulation = simulate(scene);
  step_many(*simulation, 60);
  EXPECT_EQ(velocity_of(*simulation, crate_id), math::Vec3{});
  EXPECT_FALSE(simulation->world().is_awake(*simulation->find_body(crate_id)));
  step_many(*simulation, 31);  // the last of them begins at 1.5 s
  const math::Vec3 velocity = velocity_of(*simulation, crate_id);
  EXPECT_NEAR(velocity.x, -1, 1e-5f);                                       // sin(3π/2)
  EXPECT_NEAR(velocity.z, 2 * math::sin_cos(1.25f * math::pi).sin, 1e-5f);  // 1.5/4 + 1/4 turns
  EXPECT_TRUE(simulation->world().is_awake(*simulation->find_body(crate_id)));
  step_many(*simulation, 180);
  // The push ended at 3 s, so the velocity is the one of step 179, counted from 0.
  EXPECT_NEAR(velocity_of(*simulation, crate_id).x,
              math::sin_cos(math::pi * 179 * step_seconds).sin, 1e-5f);
}

state::Push to_a_point() {
  state::Push push;
  push.kind = state::FollowPush{{3, 0, -4}, {}, 20, 9, 40, {true, false, true}};
  return push;
}

TEST(SceneFollowing, ReachesItsTargetAlongTheEnabledAxesOnly) {
  scene::SceneDef scene = pushed_crate(to_a_point());
  const auto simulation = simulate(scene);
  step_many(*simulation, 600);
  EXPECT_NEAR(position_of(*simulation, crate_id).x, 3, 1e-3);
  EXPECT_NEAR(position_of(*simulation, crate_id).z, -4, 1e-3);
  EXPECT_EQ(position_of(*simulation, crate_id).y, 10);
}

TEST(SceneFollowing, AccelerationIsLimited) {
  const auto simulation = simulate(pushed_crate(to_a_point()));
  step(*simulation);
  // The spring alone would accelerate at 20·5 m/s².
  EXPECT_NEAR(length(velocity_of(*simulation, crate_id)), 40 * step_seconds, 1e-5f);
}

TEST(SceneFollowing, TracksAnOscillatingTarget) {
  state::Push push;
  push.kind =
      state::FollowPush{{0, 10, 0}, {{2, 0, 0}, {8, 1, 1}, {}}, 400, 40, 1000, {true, true, true}};
  const auto simulation = simulate(pushed_crate(push));
  step_many(*simulation, 120);
  for (int i = 120; i < 600; ++i) {
    step(*simulation);
    const float seconds = static_cast<float>(i + 1) * step_seconds;
    const float target = 2 * math::sin_cos(2 * math::pi * seconds / 8).sin;
    // The lag is damping/stiffness = 0.1 s behind a target that moves at up to 1.6 m/s.
    EXPECT_NEAR(position_of(*simulation, crate_id).x, target, 0.2) << i;
  }
}

/// Returns a scene with one push of each kind and a kinematic motion, all active.
scene::SceneDef scene_of_all_pushes() {
  scene::SceneDef scene = small_scene();
  for (int i = 0; i < 3; ++i) {
    scene::SceneBody crate = scene.bodies[1];
    crate.name = "crate " + std::to_string(i);
    crate.pose.position.x = 2.0 * (i + 1);
    scene.bodies.push_back(crate);
  }
  scene::SceneBody lift = scene.bodies[1];
  lift.name = "lift";
  lift.motion = state::MotionType::Kinematic;
  lift.pose.position = {-3, 0.6, 0};
  lift.mass = 0;
  lift.kinematic_motion = state::KinematicMotion{{1, 0, 0}, 3, 0, {0, 1, 0}};
  scene.bodies.push_back(lift);
  state::Push hop = impulse(0, 0.2, 0.7, 0);
  std::get<state::ImpulsePush>(hop.kind) = {{0, 300, 0}, {0.2f, 0, 0.1f}, 0.7, 0};
  hop.bodies = {1, 2};
  state::Push walk;
  walk.kind = state::VelocityPush{{{2, 0, 2}, {2, 1, 2}, {0, 0, 0.25f}}};
  walk.bodies = {3};
  state::Push follow = to_a_point();
  follow.bodies = {4};
  scene.pushes = {hop, walk, follow};
  return scene;
}

TEST(SceneScript, ContinuesIdenticallyAfterARestore) {
  const auto original = simulate(scene_of_all_pushes());
  step_many(*original, 100);
  base::ByteWriter saved;
  original->save(saved);
  const auto copy = simulate(scene_of_all_pushes());
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(copy->restore(reader));
  for (int i = 0; i < 200; ++i) {
    step(*original);
    step(*copy);
    ASSERT_EQ(copy->hash(), original->hash()) << "tick " << original->tick().number;
  }
}

TEST(SceneScript, RestartsWithAReset) {
  const auto fresh = simulate(scene_of_all_pushes()), reset = simulate(scene_of_all_pushes());
  step_many(*reset, 77);
  step(*reset, {state::ControlCommand{state::ControlKind::Reset, 0}});
  step(*fresh);
  for (int i = 0; i < 100; ++i) {
    step(*fresh);
    step(*reset);
    for (std::uint32_t body = 0; body < scene_of_all_pushes().bodies.size(); ++body) {
      const state::BodyId again{reset->world_def().bodies[body].id};
      ASSERT_EQ(position_of(*reset, again), position_of(*fresh, {body + 1})) << i;
    }
  }
}

TEST(SceneScript, DoesNotAdvanceWhilePaused) {
  const auto simulation = simulate(pushed_crate(impulse(100, 0.1, 0, 0)));
  step(*simulation, {state::ControlCommand{state::ControlKind::Pause, 0}});
  step_many(*simulation, 60);
  EXPECT_EQ(velocity_of(*simulation, crate_id).x, 0);
  step(*simulation, {state::ControlCommand{state::ControlKind::Resume, 0}});
  step_many(*simulation, 6);
  EXPECT_FLOAT_EQ(velocity_of(*simulation, crate_id).x, 100 / crate_mass);
}

TEST(SceneScript, MovesScriptedBodiesAlongWhenTicksAreSkipped) {
  scene::SceneDef scene = small_scene();
  scene::SceneBody lift = scene.bodies[1];
  lift.name = "lift";
  lift.motion = state::MotionType::Kinematic;
  lift.pose.position = {20, 5, 0};
  lift.kinematic_motion = state::KinematicMotion{{1, 0, 0}, 3, 0, {0, 1, 0}};
  scene.bodies.push_back(lift);
  constexpr state::BodyId lift_id{3};
  const auto stepped = simulate(scene), skipped = simulate(scene);
  step_many(*stepped, 100);
  step_many(*skipped, 10);
  skipped->skip_to({100});
  EXPECT_EQ(position_of(*skipped, lift_id), position_of(*stepped, lift_id));
  step(*stepped);
  step(*skipped);
  EXPECT_EQ(position_of(*skipped, lift_id), position_of(*stepped, lift_id));
  EXPECT_EQ(velocity_of(*skipped, lift_id), velocity_of(*stepped, lift_id))
      << "the skipped way is no velocity";
}

TEST(Pulls, AreZeroIfTheDampingOverflows) {
  const state::FollowPush push{
      .centre = {}, .swing = {}, .stiffness = 1, .damping = 10, .max_acceleration = 5};
  const state::Pull pull{{}, &push, 1.0f / 60.0f};
  EXPECT_EQ(impulse_of(pull, {{}, {3e38f, -3e38f, 0}, 1}), math::Vec3{});
  EXPECT_NEAR(length(impulse_of(pull, {{}, {3e8f, 0, 0}, 1})), 5.0f / 60.0f, 1e-6f);
}

}  // namespace
}  // namespace jostle::sim
