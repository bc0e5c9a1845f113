#include "shared/scene/scene.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jostle::sim {
namespace {

/// Returns a scene with one spawn. Each argument is the JSON text of the scene key with its name;
/// `bodies` has no brackets, and `spawn` is a position.
scene::SceneDef scene_of(const std::string& player, const std::string& bodies,
                         const std::string& spawn = "[0, 1, 0]", const std::string& world = "{}") {
  auto scene = scene::parse_scene(R"({"name": "t", "player": )" + player + R"(, "world": )" +
                                      world + R"(, "spawns": [{"position": )" + spawn +
                                      R"(}], "bodies": [)" + bodies + "]}",
                                  "t");
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().text());
  return *std::move(scene);
}

constexpr const char* ground = R"({"motion_type": "static", "shape": {"plane": {}}})";
constexpr const char* ball = R"({"shape": {"sphere": {"radius": 0.5}}})";

std::vector<state::Command> joins(int count) {
  std::vector<state::Command> commands;
  for (int i = 1; i <= count; ++i)
    commands.emplace_back(state::JoinCommand{state::PlayerId{static_cast<std::uint16_t>(i)}, "p"});
  return commands;
}

/// Returns the positions of all players.
std::vector<math::Position> places(const Simulation& simulation, int count) {
  std::vector<math::Position> found;
  for (int i = 1; i <= count; ++i)
    found.push_back(position_of(
        simulation, simulation.player_body(state::PlayerId{static_cast<std::uint16_t>(i)})));
  return found;
}

double least_distance(const std::vector<math::Position>& places) {
  double least = 1e9;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      least = std::min(least, static_cast<double>(length(places[i] - places[k])));
  return least;
}

TEST(FreePlace, AFreeSpawnIsUsedItself) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::ControlCommand{state::ControlKind::Gravity, 0},
                     state::JoinCommand{ann, "Ann"}, state::JoinCommand{bob, "Bob"}});
  EXPECT_EQ(position_of(*simulation, simulation->player_body(ann)), (math::Position{5, 0.5, 0}));
  EXPECT_EQ(position_of(*simulation, simulation->player_body(bob)), (math::Position{-5, 0.5, 0}));
}

TEST(FreePlace, PlayersThatShareASpawnJoinSideBySide) {
  const auto simulation = simulate(scene_of(ball, ground));
  step(*simulation, joins(40));
  const auto found = places(*simulation, 40);
  EXPECT_GT(least_distance(found), 1.0);
  for (const math::Position& place : found) {
    EXPECT_NEAR(place.y, 1, 0.01);
    EXPECT_LT(length(place - math::Position{0, 1, 0}), 5) << "near the spawn";
  }
}

TEST(FreePlace, CharactersThatShareASpawnJoinSideBySideAndStay) {
  const auto simulation = simulate(scene_of(R"({"kind": "character"})", ground, "[0, 0.91, 0]"));
  step(*simulation, joins(9));
  EXPECT_GT(least_distance(places(*simulation, 9)), 0.6);
  step_many(*simulation, 30);
  EXPECT_GT(least_distance(places(*simulation, 9)), 0.6) << "the controllers know the places";
}

TEST(FreePlace, CarsThatShareASpawnJoinSideBySideWithTheirWheels) {
  const auto simulation = simulate(scene_of(R"({"kind": "car"})", ground, "[0, 0.62, 0]"));
  step(*simulation, joins(5));
  EXPECT_GT(least_distance(places(*simulation, 5)), 1.9);
  step_many(*simulation, 60);
  for (const math::Position& place : places(*simulation, 5))
    EXPECT_NEAR(place.y, 0.62, 0.1) << "the wheels are at the chassis";
}

TEST(FreePlace, AResetPlacesPlayersSideBySide) {
  for (const char* const player : {ball, R"({"kind": "car"})", R"({"kind": "character"})"}) {
    const auto simulation = simulate(scene_of(player, ground));
    step(*simulation, joins(6));
    step(*simulation, {state::ControlCommand{state::ControlKind::Reset, 0}});
    EXPECT_GT(least_distance(places(*simulation, 6)), 0.6) << player;
  }
}

TEST(FreePlace, PlayersThatShareASpawnDoNotJoinInsideACrate) {
  const auto simulation = simulate(
      scene_of(ball,
               std::string(ground) +
                   R"(, {"position": [1.3, 0.5, 0], "shape": {"box": {"size": [1, 1, 1]}}})",
               "[0, 0.5, 0]"));
  step(*simulation, joins(7));
  for (const math::Position& place : places(*simulation, 7))
    EXPECT_GT(length(place - math::Position{1.3, 0.5, 0}), 0.95f);
}

TEST(FreePlace, PlayersJoinAboveEachOtherIfThereIsNoGroundAtTheSides) {
  const auto simulation = simulate(
      scene_of(ball, R"({"motion_type": "static", "shape": {"box": {"size": [1, 1, 1]}}})"));
  step(*simulation, joins(3));
  for (const math::Position& place : places(*simulation, 3)) {
    EXPECT_NEAR(place.x, 0, 1e-3);
    EXPECT_NEAR(place.z, 0, 1e-3);
  }
  EXPECT_GT(least_distance(places(*simulation, 3)), 1.0);
}

TEST(FreePlace, PlayersJoinOnTheirSideOfAWall) {
  const auto simulation =
      simulate(scene_of(ball, std::string(ground) +
                                  R"(, {"motion_type": "static", "position": [0, 2, -0.8],
                      "shape": {"box": {"size": [99, 4, 0.4]}}})"));
  step(*simulation, joins(7));
  EXPECT_GT(least_distance(places(*simulation, 7)), 1.0);
  for (const math::Position& place : places(*simulation, 7))
    EXPECT_GT(place.z, -0.11);
}

TEST(FreePlace, PlayersOfAPlanarWorldStayInTheirPlane) {
  const auto simulation = simulate(scene_of(ball, ground, "[0, 1, 0]", R"({"planar": true})"));
  step(*simulation, joins(10));
  for (const math::Position& place : places(*simulation, 10))
    EXPECT_EQ(place.z, 0);
  EXPECT_GT(least_distance(places(*simulation, 10)), 1.0);
}

TEST(FreePlace, IsTheSameInEveryRun) {
  const auto one = simulate(scene_of(ball, ground)), two = simulate(scene_of(ball, ground));
  for (Simulation* const simulation : {one.get(), two.get()}) {
    step(*simulation, joins(20));
    step_many(*simulation, 20);
  }
  EXPECT_EQ(one->hash(), two->hash());
}

}  // namespace
}  // namespace jostle::sim
