#include "shared/sim/simulation.h"

#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

TEST(Simulation, StartsAtTickZeroWithTheScenesBodies) {
  const auto simulation = simulate(small_scene());
  EXPECT_EQ(simulation->tick(), state::Tick{0});
  ASSERT_EQ(simulation->world_def().bodies.size(), 2U);
  EXPECT_EQ(simulation->world_def().bodies[1].name, "crate");
  EXPECT_EQ(simulation->world_def().bodies[1].id, crate_id);
  EXPECT_EQ(simulation->world_def().revision, 1U);
}

TEST(Simulation, SnapshotsOmitStaticBodies) {
  const auto simulation = simulate(small_scene());
  step(*simulation);
  const state::Snapshot snapshot = simulation->capture();
  EXPECT_EQ(snapshot.tick, state::Tick{1});
  ASSERT_EQ(snapshot.bodies.size(), 1U);
  EXPECT_EQ(snapshot.bodies[0].id, crate_id);
}

TEST(Simulation, PlayerBodyIsCreatedOnJoinAndRemovedOnLeave) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const state::BodyId body = simulation->player_body(ann);
  ASSERT_FALSE(body.is_null());
  EXPECT_NEAR(position_of(*simulation, body).x, 5.0, 0.01);
  ASSERT_TRUE(simulation->last_change().has_value());
  EXPECT_EQ(simulation->last_change()->revision, 2U);
  ASSERT_EQ(simulation->last_change()->spawns.size(), 1U);
  EXPECT_EQ(simulation->last_change()->spawns[0].owner, ann);
  EXPECT_EQ(simulation->last_change()->spawns[0].name, "Ann");

  step(*simulation, {state::LeaveCommand{ann}});
  EXPECT_FALSE(simulation->find_body(body).has_value());
  EXPECT_EQ(simulation->last_change()->despawns, std::vector<state::BodyId>{body});
  EXPECT_TRUE(simulation->player_body(ann).is_null());
}

TEST(Simulation, RevisionIsUnchangedWithoutSpawnsAndDespawns) {
  const auto simulation = simulate(small_scene());
  step(*simulation);
  EXPECT_FALSE(simulation->last_change().has_value());
  EXPECT_EQ(simulation->world_def().revision, 1U);
}

TEST(Simulation, IgnoresDuplicateJoinsAndUnknownLeaves) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}, state::JoinCommand{ann, "Ann again"}});
  EXPECT_EQ(simulation->world_def().bodies.size(), 3U);
  step(*simulation, {state::LeaveCommand{bob}, input_of(bob, {}, 1, 0)});
  EXPECT_EQ(simulation->world_def().bodies.size(), 3U);
}

scene::SceneDef other_scene() {
  scene::SceneDef scene = small_scene();
  scene.name = "other";
  scene.camera.eye = {1, 2, 3};
  scene.world.time_percent = 50;
  scene.bodies[1].pose.position = {0, 3, 0};
  scene.bodies[1].linear_velocity = {1, 0, 0};
  scene.spawns = {{{0, 0.5, 9}, {}}};
  return scene;
}

TEST(Simulation, LoadedSceneRunsLikeAFreshOneAndKeepsPlayers) {
  const auto alone = simulate(other_scene()), changed = simulate(small_scene());
  step(*changed, {state::JoinCommand{ann, "Ann"}, state::JoinCommand{bob, "Bob"}});
  step_many(*changed, 50);
  const std::uint32_t revision = changed->world_def().revision;
  const state::BodyId before = changed->player_body(bob);
  changed->load(other_scene());
  EXPECT_EQ(changed->scene().name, "small") << "the scene changes with the next step";
  step(*alone);
  step(*changed);
  EXPECT_TRUE(changed->was_reset());
  EXPECT_EQ(changed->world_def().scene_name, "other");
  EXPECT_EQ(changed->world_def().camera, other_scene().camera);
  EXPECT_EQ(changed->world_def().revision, revision + 1);
  EXPECT_EQ(changed->tick().number, 52U);
  ASSERT_TRUE(changed->last_change().has_value());
  const state::BodyId crate{changed->world_def().bodies[1].id};
  EXPECT_GT(changed->player_body(bob).value, before.value);
  EXPECT_NEAR(position_of(*changed, changed->player_body(bob)).z, 9, 0.2)
      << "its spawn in the new scene";
  for (int i = 0; i < 120; ++i) {
    step(*alone);
    step(*changed);
    EXPECT_FALSE(changed->was_reset());
    ASSERT_EQ(position_of(*changed, crate), position_of(*alone, crate_id)) << i;
  }
}

TEST(Simulation, PauseSurvivesLoadingASceneAndCanBeSaved) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::ControlCommand{state::ControlKind::Pause, 0}});
  simulation->load(other_scene());
  step_many(*simulation, 30);
  EXPECT_TRUE(simulation->is_paused());
  const state::BodyId crate{simulation->world_def().bodies[1].id};
  EXPECT_EQ(position_of(*simulation, crate), (math::Position{0, 3, 0}));
  base::ByteWriter saved;
  simulation->save(saved);
  const auto copy = simulate(other_scene());
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(copy->restore(reader).has_value());
  EXPECT_EQ(copy->hash(), simulation->hash());
  step(*simulation, {state::ControlCommand{state::ControlKind::Resume, 0}});
  step(*copy, {state::ControlCommand{state::ControlKind::Resume, 0}});
  EXPECT_EQ(copy->hash(), simulation->hash());
}

TEST(Simulation, ResetRestartsTheSceneWithNewIdsAndKeepsPlayers) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const state::BodyId before = simulation->player_body(ann);
  step(*simulation, {input_of(ann, {{state::ActionKind::Push, crate_id, {}, {150, 0, 0}}})});
  step_many(*simulation, 30);
  step(*simulation, {state::ControlCommand{state::ControlKind::Reset, 0}});
  EXPECT_TRUE(simulation->was_reset());
  EXPECT_FALSE(simulation->find_body(crate_id).has_value()) << "ids are never reused";
  const state::BodyId after = simulation->player_body(ann);
  EXPECT_NE(after, before);
  EXPECT_NEAR(position_of(*simulation, after).x, 5.0, 0.01);
  ASSERT_EQ(simulation->world_def().bodies.size(), 3U);
  const state::BodyInfo& crate = simulation->world_def().bodies[1];
  EXPECT_EQ(crate.name, "crate");
  EXPECT_NEAR(position_of(*simulation, crate.id).x, 0.0, 0.001);
  step(*simulation);
  EXPECT_FALSE(simulation->was_reset());
}

TEST(Simulation, SameCommandsGiveTheSameHashes) {
  const auto a = simulate(small_scene());
  const auto b = simulate(small_scene());
  for (int tick = 1; tick <= 120; ++tick) {
    std::vector<state::Command> commands;
    if (tick == 1) commands.emplace_back(state::JoinCommand{ann, "Ann"});
    commands.push_back(input_of(ann, {}, tick % 40 < 20 ? 1.0f : -1.0f, 0));
    step(*a, commands);
    step(*b, commands);
    ASSERT_EQ(a->hash(), b->hash()) << "tick " << tick;
  }
}

TEST(Simulation, GravityCanBeSwitchedOffAndOn) {
  scene::SceneDef scene = small_scene();
  scene.bodies[1].pose.position.y = 10;
  const auto simulation = simulate(scene);
  step(*simulation, {state::ControlCommand{state::ControlKind::Gravity, 0}});
  step_many(*simulation, 30);
  EXPECT_NEAR(position_of(*simulation, crate_id).y, 10.0, 1e-6);
  step(*simulation, {state::ControlCommand{state::ControlKind::Gravity, 1}});
  step_many(*simulation, 30);
  EXPECT_LT(position_of(*simulation, crate_id).y, 9.0);
}

TEST(Simulation, KinematicBodyFollowsItsKinematicMotion) {
  scene::SceneDef scene = small_scene();
  scene::SceneBody lift = scene.bodies[1];
  lift.name = "lift";
  lift.mass = 0;
  lift.motion = state::MotionType::Kinematic;
  lift.pose.position = {20, 5, 0};
  lift.kinematic_motion = state::KinematicMotion{{0, 2, 0}, 4.0f, 0.0f, {0, 1, 0}};
  scene.bodies.push_back(lift);
  const auto simulation = simulate(scene);
  const state::BodyId id = simulation->world_def().bodies[2].id;
  step_many(*simulation, 60);  // a quarter of its period
  EXPECT_NEAR(position_of(*simulation, id).y, 7.0, 1e-3);
  const math::Quat turned = simulation->world().pose(*simulation->find_body(id)).rotation;
  EXPECT_NEAR(turned.y, 0.479426, 1e-3) << "one radian about y: sin(0.5)";
  step_many(*simulation, 120);
  EXPECT_NEAR(position_of(*simulation, id).y, 3.0, 1e-3);
}

/// A rule that sums the custom input bytes of all players and saves the sum.
class Counter final : public Rule {
 public:
  std::string_view name() const override { return "counter"; }
  std::unique_ptr<Rule> another() const override { return std::make_unique<Counter>(); }
  void before_step(RuleContext& stage) override {
    for (const Player& player : stage.players.all()) {
      for (const std::byte b : player.input.custom)
        sum_ += static_cast<std::uint32_t>(b);
    }
  }
  void save(base::ByteWriter& writer) const override { writer.u32(sum_); }
  void restore(base::ByteReader& reader, const BodyRegistry&) override { sum_ = reader.u32(); }
  std::uint32_t sum() const { return sum_; }

 private:
  std::uint32_t sum_ = 0;
};

TEST(Simulation, RunsAndSavesAdditionalRules) {
  auto rules = default_rules();
  auto owned = std::make_unique<Counter>();
  Counter& counter = *owned;
  rules.push_back(std::move(owned));
  Simulation simulation(small_scene(), {}, std::move(rules));
  step(simulation, {state::JoinCommand{ann, "Ann"}});
  const std::uint64_t before = simulation.hash().rules;
  state::PlayerInput input;
  input.custom = {std::byte{3}, std::byte{4}};
  step(simulation, {state::InputCommand{ann, input}});
  EXPECT_EQ(counter.sum(), 7U);
  EXPECT_NE(simulation.hash().rules, before) << "the state of a rule is part of the hash";

  base::ByteWriter saved;
  simulation.save(saved);
  step(simulation, {state::InputCommand{ann, input}});
  EXPECT_EQ(counter.sum(), 14U);
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(simulation.restore(reader));
  EXPECT_EQ(counter.sum(), 7U);
}

TEST(Simulation, InitialVelocityIsThatOfTheCentreOfMass) {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {};
  scene::SceneBody& crate = scene.bodies[1];
  crate.shapes[0].local.offset = {3, 0, 0};
  crate.linear_velocity = {1, 0, 0};
  crate.angular_velocity = {0, 2, 0};
  const auto simulation = simulate(scene);
  EXPECT_EQ(velocity_of(*simulation, crate_id), (math::Vec3{1, 0, 0}));
}

}  // namespace
}  // namespace jostle::sim
