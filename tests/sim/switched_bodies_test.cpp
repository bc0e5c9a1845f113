// Tests disabled bodies of a scene, and rules that enable or disable bodies.
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

constexpr state::BodyId lift_id{3};

/// Returns `small_scene` with its crate disabled, at 3 m. A rope connects the crate to a kinematic
/// lift below it.
scene::SceneDef crate_that_waits() {
  scene::SceneDef scene = small_scene();
  scene.bodies[1].is_enabled = false;
  scene.bodies[1].pose.position = {0, 3, 0};
  scene.bodies[1].linear_velocity = {0.5f, 0, 0};
  scene::SceneBody lift;
  lift.motion = state::MotionType::Kinematic;
  lift.pose.position = {0, 1, 0};
  lift.kinematic_motion = state::KinematicMotion{{2, 0, 0}, 2, 0, {}};
  scene::SceneShape shape;
  shape.shape = state::box({1, 0.1f, 1});
  lift.shapes = {shape};
  scene.bodies.push_back(lift);
  scene::SceneJoint rope;
  rope.kind = scene::JointKind::Distance;
  rope.body_a = 1;
  rope.body_b = 2;
  rope.anchor = {0, 3, 0};
  rope.anchor_b = {0, 1, 0};
  rope.has_limits = true;
  rope.upper = 9;
  scene.joints = {rope};
  return scene;
}

/// Enables or disables a body at a given tick.
class Switch : public Rule {
 public:
  Switch(state::BodyId body, std::uint32_t tick, bool is_on)
      : body_(body), tick_(tick), is_on_(is_on) {}
  std::string_view name() const override { return "switch"; }
  std::unique_ptr<Rule> another() const override {
    return std::make_unique<Switch>(body_, tick_, is_on_);
  }
  void before_step(RuleContext& stage) override {
    if (stage.tick.number == tick_) stage.world.set_enabled(stage.bodies.handle(body_), is_on_);
  }

 private:
  state::BodyId body_;
  std::uint32_t tick_;
  bool is_on_;
};

std::unique_ptr<Simulation> simulate_with(std::vector<std::unique_ptr<Rule>> rules) {
  std::vector<std::unique_ptr<Rule>> all = default_rules();
  for (auto& rule : rules)
    all.push_back(std::move(rule));
  return std::make_unique<Simulation>(crate_that_waits(), SimulationOptions{}, std::move(all));
}

TEST(DisabledBody, IsShownAtRestAtItsPosition) {
  const auto simulation = simulate(crate_that_waits());
  step_many(*simulation, 60);
  EXPECT_EQ(position_of(*simulation, crate_id), (math::Position{0, 3, 0}));
  EXPECT_TRUE(simulation->ropes().empty());
  const state::Snapshot snapshot = simulation->capture();
  ASSERT_EQ(snapshot.bodies.size(), 2U);
  EXPECT_EQ(snapshot.bodies[0], (state::BodyState{crate_id, {{0, 3, 0}, {}}, {}, {}, false}));
}

TEST(DisabledBody, CannotBePushedOrDragged) {
  const auto simulation = simulate(crate_that_waits());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const state::Action push{state::ActionKind::Push, crate_id, {}, {0, 300, 0}};
  const state::Action drag{state::ActionKind::Grab, crate_id, {}, {0, 5, 0}};
  step(*simulation, {input_of(ann, {push, drag})});
  EXPECT_EQ(position_of(*simulation, crate_id), (math::Position{0, 3, 0}));
  EXPECT_EQ(velocity_of(*simulation, crate_id), (math::Vec3{0.5f, 0, 0}));
}

TEST(DisabledBody, CanBeEnabledByARule) {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(std::make_unique<Switch>(crate_id, 10, true));
  const auto simulation = simulate_with(std::move(rules));
  step_many(*simulation, 9);
  EXPECT_EQ(velocity_of(*simulation, crate_id).y, 0.0f);
  step(*simulation);
  EXPECT_LT(velocity_of(*simulation, crate_id).y, 0.0f);
  EXPECT_EQ(simulation->ropes().size(), 1U);
  EXPECT_TRUE(simulation->capture().bodies[0].is_awake);
}

// The body is teleported, not moved in a single step at hundreds of m/s.
TEST(DisabledBody, ReappearsOnItsKinematicMotionWhenEnabled) {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(std::make_unique<Switch>(lift_id, 10, false));
  rules.push_back(std::make_unique<Switch>(lift_id, 90, true));
  const auto simulation = simulate_with(std::move(rules));
  const auto straight = simulate(crate_that_waits());
  for (int tick = 1; tick <= 120; ++tick) {
    step(*simulation);
    step(*straight);
    EXPECT_LT(length(velocity_of(*simulation, lift_id)), 7.0f) << tick;
    EXPECT_NEAR(position_of(*simulation, lift_id).x, position_of(*straight, lift_id).x, 0.11)
        << tick;
  }
}

TEST(DisabledBody, StaysDisabledInASave) {
  const auto simulation = simulate(crate_that_waits()), copy = simulate(crate_that_waits());
  step_many(*simulation, 30);
  base::ByteWriter writer;
  simulation->save(writer);
  base::ByteReader reader(writer.bytes());
  ASSERT_TRUE(copy->restore(reader).has_value());
  for (int i = 0; i < 30; ++i) {
    step(*simulation);
    step(*copy);
    ASSERT_EQ(simulation->hash(), copy->hash());
  }
}

}  // namespace
}  // namespace jostle::sim
