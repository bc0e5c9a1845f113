#include "shared/sim/character_controllers.h"

#include "shared/base/random.h"
#include "shared/math/trig.h"
#include "shared/sim/random_inputs.h"
#include "tests/sim/damaged_save.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace jostle::sim {
namespace {

/// Returns `small_scene` with characters as players, which spawn on the ground.
scene::SceneDef walking_scene() {
  scene::SceneDef scene = small_scene();
  scene.player.kind = scene::PlayerKind::Character;
  scene.player.shape.shape = state::capsule(0.3f, 0.6f);
  scene.player.max_speed = 4;
  scene.spawns = {{{5, 0.91, 0}, {}}, {{-5, 0.91, 0}, {0, 1, 0, 0}}};
  return scene;
}

/// Returns the walking scene with a lift under the first spawn and with falling crates.
scene::SceneDef scene_for_character_controllers() {
  scene::SceneDef scene = walking_scene();
  scene::SceneBody lift;
  lift.name = "lift";
  lift.motion = state::MotionType::Kinematic;
  lift.pose.position = {5, -0.15, 0};
  scene::SceneShape plate;
  plate.shape = state::box({1.5f, 0.15f, 1.5f});
  lift.shapes = {plate};
  lift.kinematic_motion = state::KinematicMotion{{0, 0.5f, 0}, 3, 0, {0, 0.5f, 0}};
  scene.bodies.push_back(lift);
  for (int i = 0; i < 6; ++i) {
    scene::SceneBody crate = scene.bodies[1];
    crate.name = "crate " + std::to_string(i);
    crate.pose.position = {0.3 * i, 1.6 + 1.1 * i, 0.1 * i};
    crate.mass = 20;
    scene.bodies.push_back(crate);
  }
  return scene;
}

TEST(CharacterControllers, BodyIsAnUprightKinematicCapsule) {
  const auto simulation = simulate(walking_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step(*simulation, {state::JoinCommand{bob, "Bob"}});
  for (const state::PlayerId player : {ann, bob}) {
    const physics::BodyHandle body = *simulation->find_body(simulation->player_body(player));
    EXPECT_EQ(simulation->world().motion_type(body), state::MotionType::Kinematic);
    EXPECT_EQ(simulation->world().pose(body).rotation, math::Quat{});
  }
  step_many(*simulation, 60);
  EXPECT_NEAR(position_of(*simulation, simulation->player_body(ann)).y, 0.91, 1e-3);
}

TEST(CharacterControllers, WalkAtMaxSpeedAndStopImmediately) {
  const auto simulation = simulate(walking_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step_many(*simulation, 5);
  const state::BodyId body = simulation->player_body(ann);
  for (int i = 0; i < 60; ++i)
    step(*simulation, {input_of(ann, {}, 0.6f, 0.8f)});
  EXPECT_NEAR(position_of(*simulation, body).x, 5 + 2.4, 0.01);
  EXPECT_NEAR(position_of(*simulation, body).z, 3.2, 0.01);
  const math::Position stopped = position_of(*simulation, body);
  step_many(*simulation, 30);
  EXPECT_LT(length(position_of(*simulation, body) - stopped), 1e-4f);
}

TEST(CharacterControllers, JumpToTheHeightOfTheirJumpSpeed) {
  const auto simulation = simulate(walking_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step_many(*simulation, 5);
  double top = 0;
  for (int i = 0; i < 55; ++i) {
    step(*simulation, {input_of(ann, {}, 0, 0, state::button_jump)});
    top = std::max(top, position_of(*simulation, simulation->player_body(ann)).y);
  }
  EXPECT_NEAR(top - 0.91, 25 / (2 * 9.81), 2e-3);
}

TEST(CharacterControllers, UseTheWorldsGravity) {
  const auto simulation = simulate(walking_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step_many(*simulation, 5);
  step(*simulation, {state::ControlCommand{state::ControlKind::Gravity, 0}});
  step(*simulation, {input_of(ann, {}, 0, 0, state::button_jump)});
  step_many(*simulation, 119);
  EXPECT_NEAR(position_of(*simulation, simulation->player_body(ann)).y, 0.91 + 10, 0.01);
}

TEST(CharacterControllers, RespawnAfterFallingOutOfTheWorld) {
  scene::SceneDef scene = walking_scene();
  scene.bodies.erase(scene.bodies.begin());  // no ground
  const auto simulation = simulate(scene);
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  double lowest = 0;
  for (int i = 0; i < 600; ++i) {
    step(*simulation);
    lowest = std::min(lowest, position_of(*simulation, simulation->player_body(ann)).y);
  }
  EXPECT_LT(lowest, -55.0);
  EXPECT_GT(lowest, -62.0);
}

TEST(CharacterControllers, ReturnToTheirSpawnOnReset) {
  const auto simulation = simulate(scene_for_character_controllers());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step(*simulation, {state::JoinCommand{bob, "Bob"}});
  for (int i = 0; i < 60; ++i)
    step(*simulation, {input_of(bob, {}, 0, 1)});
  step(*simulation, {state::LeaveCommand{ann}});
  step(*simulation, {state::ControlCommand{state::ControlKind::Reset, 0}});
  const state::BodyId body = simulation->player_body(bob);
  EXPECT_NEAR(position_of(*simulation, body).z, 0, 1e-3);
  for (int i = 0; i < 30; ++i)
    step(*simulation, {input_of(bob, {}, 0, 1)});
  EXPECT_NEAR(position_of(*simulation, body).z, 2, 0.01);
}

TEST(CharacterControllers, ContinueIdenticallyAfterARestore) {
  const auto original = simulate(scene_for_character_controllers());
  RandomInputs players(7, 2);
  for (int i = 0; i < 150; ++i)
    original->step(players.next(*original));
  base::ByteWriter saved;
  original->save(saved);
  const auto copy = simulate(scene_for_character_controllers());
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(copy->restore(reader));
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(copy->hash(), original->hash());
  for (int i = 0; i < 200; ++i) {
    const state::TickCommands commands = players.next(*original);
    original->step(commands);
    copy->step(commands);
    ASSERT_EQ(copy->hash(), original->hash()) << "tick " << original->tick().number;
  }
}

/// Run `c` differs from `a` and `b` by its input, which gives the player in the air another
/// velocity.
TEST(CharacterControllers, StateIsPartOfTheHash) {
  const auto airborne = [](float move_x) {
    auto simulation = simulate(walking_scene());
    step(*simulation, {state::JoinCommand{ann, "Ann"}});
    step_many(*simulation, 5);
    step(*simulation, {input_of(ann, {}, move_x, 0, state::button_jump)});
    return simulation;
  };
  const auto a = airborne(0), b = airborne(0), c = airborne(0.01f);
  EXPECT_EQ(a->hash().rules, b->hash().rules);
  EXPECT_NE(a->hash().rules, c->hash().rules);
}

TEST(CharacterControllers, RestoreASaveWithAFlippedBitExactlyOrRefuseItWithoutSideEffects) {
  const auto simulation = simulate(scene_for_character_controllers());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step(*simulation, {state::JoinCommand{bob, "Bob"}});
  step_many(*simulation, 10);
  const std::vector<std::byte> good = saved(*simulation);
  // The state of the rules is at the end of the save.
  constexpr std::size_t rule_bytes = 400;
  ASSERT_GT(good.size(), 2 * rule_bytes);
  const auto copy = simulate(scene_for_character_controllers());
  std::size_t accepted = 0, refused = 0;
  for (std::size_t bit = 8 * (good.size() - rule_bytes); bit < 8 * good.size(); ++bit) {
    SCOPED_TRACE(testing::Message()
                 << "byte " << bit / 8 << " of " << good.size() << ", bit " << bit % 8);
    std::vector<std::byte> damaged = good;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    if (!restores_wholly_or_not_at_all(*copy, damaged)) {
      ++refused;
    } else {
      ++accepted;
      for (int k = 0; k < 2; ++k)
        step(*copy, {input_of(ann, {}, 1, 0, state::button_jump), input_of(bob, {}, 0, 1)});
      expect_finite(*copy);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(accepted, 2'000U);
  EXPECT_GT(refused, 500U);
}

/// Walks Ann to the position (`x`, `z`), for at most `ticks` ticks.
void walk_to(Simulation& simulation, double x, double z, int ticks) {
  for (int i = 0; i < ticks; ++i) {
    const math::Position at = position_of(simulation, simulation.player_body(ann));
    const math::Vec3 way{static_cast<float>(x - at.x), 0, static_cast<float>(z - at.z)};
    if (length(way) < 0.06f) return;
    const math::Vec3 direction = way / length(way);
    step(simulation, {input_of(ann, {}, direction.x, direction.z)});
  }
}

std::unique_ptr<Simulation> simulate_walk() {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/walk.scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto scene = scene::parse_scene(text, "walk.scene.json");
  EXPECT_TRUE(scene);
  auto simulation = simulate(*std::move(scene));
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  return simulation;
}

TEST(WalkScene, StairsLeadToTheTerrace) {
  const auto simulation = simulate_walk();
  walk_to(*simulation, -11, 0, 300);
  walk_to(*simulation, -11, -6, 200);
  walk_to(*simulation, -6, -6, 200);
  EXPECT_NEAR(position_of(*simulation, simulation->player_body(ann)).y, 1.8 + 0.91, 2e-3);
}

TEST(WalkScene, AllRampsExceptTheSteepestCanBeClimbed) {
  for (int ramp = 0; ramp < 4; ++ramp) {
    const auto simulation = simulate_walk();
    const double z = -6 + 2.5 * ramp;
    walk_to(*simulation, 5, 4, 300);
    walk_to(*simulation, 5, z, 300);
    walk_to(*simulation, 7, z, 100);
    const double height = position_of(*simulation, simulation->player_body(ann)).y - 0.91;
    if (ramp < 3) {
      EXPECT_GT(height, 0.2) << ramp;
    } else {
      EXPECT_LT(height, 0.05);
    }
  }
}

TEST(WalkScene, LiftLeadsToTheTerrace) {
  const auto simulation = simulate_walk();
  const auto height = [&] {
    return position_of(*simulation, simulation->player_body(ann)).y - 0.91;
  };
  walk_to(*simulation, -4.5, 3, 300);
  walk_to(*simulation, -4, -4.5, 300);
  // The lift is down for a moment every eight seconds.
  for (int i = 0; i < 600 && height() < 0.1; ++i)
    step(*simulation, {input_of(ann, {}, 0, -1)});
  walk_to(*simulation, -4, -6, 60);
  for (int i = 0; i < 600 && height() < 1.75; ++i)
    step(*simulation);
  walk_to(*simulation, -6, -6, 60);
  EXPECT_NEAR(height(), 1.8, 2e-3);
}

TEST(WalkScene, TurntableCarriesTheCharacter) {
  const auto simulation = simulate_walk();
  walk_to(*simulation, 1.2, 4, 300);
  walk_to(*simulation, 3.2, -3, 300);
  walk_to(*simulation, 0.8, -5, 60);
  const math::Position before = position_of(*simulation, simulation->player_body(ann));
  EXPECT_NEAR(before.y, 0.2 + 0.91, 2e-3);
  step_many(*simulation, 60);
  const math::Position after = position_of(*simulation, simulation->player_body(ann));
  EXPECT_NEAR(std::hypot(after.x, after.z + 5), std::hypot(before.x, before.z + 5), 2e-3);
  EXPECT_GT(length(after - before), 0.3f);
}

TEST(CharacterControllers, SceneLimitsGiveValidCharacterOptions) {
  scene::ScenePlayer player;
  for (const float radius : {0.05f, 0.3f, 0.7f, 10.0f}) {
    for (const float half : {0.0f, 0.1f, 0.37f, 40.0f}) {
      player.shape.shape = state::capsule(radius, half);
      const float height = scene::standing_height(player.shape.shape);
      player.walk.step_height = player.walk.step_down = 0.5f * height;
      player.walk.skin = math::max_of(0.002f, 0.25f * radius);
      player.walk.max_slope = 85 * math::pi / 180;
      EXPECT_TRUE(are_valid(character_options(player, {1000, -1000, 1000})));
    }
  }
}

}  // namespace
}  // namespace jostle::sim
