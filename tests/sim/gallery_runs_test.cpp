// Tests the behaviour that the descriptions of the gallery scenes promise.
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>

namespace jostle::sim {
namespace {

std::unique_ptr<Simulation> start(const std::string& name) {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto scene = scene::parse_scene(text, path);
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().text());
  return simulate(*std::move(scene));
}

std::string name_of(const Simulation& simulation, physics::ShapeHandle shape) {
  const physics::World& world = simulation.world();
  const state::BodyId id = BodyRegistry::id_of(world, world.body_of(shape));
  return simulation.scene().bodies[id.value - 1].name;
}

TEST(GalleryRuns, SorterSeparatesRedBoxesFromBlueBarrels) {
  const auto simulation = start("sorter");
  const auto red = simulation->scene().bodies;
  std::map<std::string, int> right, wrong;
  for (int tick = 0; tick < 60 * 60; ++tick) {
    step(*simulation);
    for (const physics::SensorBegin& begin : simulation->world().sensor_begins()) {
      const std::string gate = name_of(*simulation, begin.sensor);
      const bool is_red = simulation->world().shape_def(begin.visitor).filter.category == 2;
      ++((gate == "side_end") == is_red ? right : wrong)[gate];
    }
  }
  EXPECT_GT(right["side_end"], 15) << "red boxes in a minute";
  EXPECT_GT(right["end"], 15) << "blue barrels in a minute";
  EXPECT_LT(wrong["side_end"] + wrong["end"], 3);
}

TEST(GalleryRuns, RollingSphereIsFasterThanCylinderShellAndHoop) {
  const auto simulation = start("rolling");
  std::map<std::string, int> arrived;
  for (int tick = 1; tick < 600; ++tick) {
    step(*simulation);
    for (std::uint32_t i = 3; i < 7; ++i) {
      const std::string& name = simulation->scene().bodies[i].name;
      if (position_of(*simulation, {i + 1}).x > 2 && arrived[name] == 0) arrived[name] = tick;
    }
  }
  EXPECT_GT(arrived["ball"], 0);
  EXPECT_LT(arrived["ball"], arrived["cylinder"]);
  EXPECT_LT(arrived["cylinder"], arrived["shell"]);
  EXPECT_LT(arrived["shell"], arrived["hoop"]);
}

/// Returns the body with this name.
state::BodyId body_named(const Simulation& simulation, const std::string& name) {
  const auto& bodies = simulation.scene().bodies;
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) return {i + 1};
  ADD_FAILURE() << "no body is called " << name;
  return {1};
}

math::Position place_of(const Simulation& simulation, const std::string& name) {
  return position_of(simulation, body_named(simulation, name));
}

constexpr int a_minute = 60 * 60;  // ticks

TEST(GalleryRuns, EveryMarbleReachesTheEndOfTheMarbleRun) {
  const auto simulation = start("marble_run");
  std::map<std::string, int> arrivals;
  for (int tick = 0; tick < a_minute; ++tick) {
    step(*simulation);
    for (const physics::SensorBegin& begin : simulation->world().sensor_begins()) {
      EXPECT_NE(name_of(*simulation, begin.sensor), "floor") << "tick " << tick;
      ++arrivals[name_of(*simulation, begin.visitor)];
    }
  }
  for (int i = 0; i < 10; ++i)
    EXPECT_GE(arrivals["marble_" + std::to_string(i)], 1) << "marble " << i;
}

TEST(GalleryRuns, BulletsDoNotTunnel) {
  const auto simulation = start("bullets");
  const double sheet = place_of(*simulation, "sheet").x, end = place_of(*simulation, "end").x;
  std::map<std::string, int> returns;
  for (int tick = 0; tick < a_minute; ++tick) {
    step(*simulation);
    const auto x = [&](int i) { return place_of(*simulation, "bullet_" + std::to_string(i)).x; };
    ASSERT_LT(x(1), sheet) << tick;
    for (const int i : {2, 3, 5, 6})
      ASSERT_LT(x(i), end) << i << ", tick " << tick;
    ASSERT_LT(x(3), x(4)) << "the two that meet, tick " << tick;
    for (const physics::SensorBegin& begin : simulation->world().sensor_begins())
      ++returns[name_of(*simulation, begin.visitor)];
  }
  for (int i = 1; i <= 6; ++i)
    EXPECT_GE(returns["bullet_" + std::to_string(i)], 18) << "shots of bullet " << i;
}

TEST(GalleryRuns, HouseOfCardsStaysStanding) {
  const auto simulation = start("card_house");
  const math::Position built = place_of(*simulation, "board_3");
  step_many(*simulation, a_minute);
  EXPECT_LT(length(place_of(*simulation, "board_3") - built), 0.01f);
  EXPECT_EQ(simulation->world().stats().awake_bodies, 0U);
}

TEST(GalleryRuns, OnlyTheHandleSpinningAboutItsIntermediateAxisFlips) {
  const auto simulation = start("spinning_top");
  const auto along = [&](const std::string& name, math::Vec3 axis) {
    const physics::BodyHandle body = *simulation->find_body(body_named(*simulation, name));
    return dot(rotate(simulation->world().pose(body).rotation, axis), axis);
  };
  int turns = 0;
  bool is_upright = true;
  for (int tick = 0; tick < a_minute; ++tick) {
    step(*simulation);
    ASSERT_GT(along("about_the_bar", {1, 0, 0}), 0.99f) << tick;
    ASSERT_GT(along("across_both", {0, 0, 1}), 0.99f) << tick;
    const float upright = along("about_the_stem", {0, 1, 0});
    if (is_upright ? upright < -0.9f : upright > 0.9f) {
      is_upright = !is_upright;
      ++turns;
    }
    ASSERT_GT(along("fast_top", {0, 1, 0}), 0.85f) << tick;
    ASSERT_NEAR(place_of(*simulation, "wheel").y, 1.55, 0.01) << "level, tick " << tick;
  }
  EXPECT_GE(turns, 6);
  EXPECT_LT(along("slow_top", {0, 1, 0}), 0.85f);
}

TEST(GalleryRuns, HeavyBodiesOnLightOnesDoNotSink) {
  const auto simulation = start("mass_ratios");
  std::map<std::string, double> built;
  for (const char* name : {"head", "turn_5", "slab", "long_arm", "short_arm"})
    built[name] = place_of(*simulation, name).y;
  step_many(*simulation, a_minute);
  for (const auto& [name, height] : built)
    EXPECT_NEAR(place_of(*simulation, name).y, height, 1e-3) << name;
  EXPECT_NEAR(length(place_of(*simulation, "bob") - math::Position{1.5, 4.625, 0}), 3.025f, 1e-3f);
}

TEST(GalleryRuns, ChainsKeepTheirLength) {
  const auto simulation = start("chain");
  const math::Position above{0, 11.2, -1.8}, beside{0, 11.2, 1.8};
  const float heavy = length(place_of(*simulation, "heavy") - above);
  const float light = length(place_of(*simulation, "light") - beside);
  for (int tick = 0; tick < a_minute; ++tick) {
    step(*simulation);
    // Bends of the chain shorten the distance, but it must never exceed the initial one.
    ASSERT_LT(length(place_of(*simulation, "heavy") - above), heavy + 2e-3f) << tick;
    ASSERT_LT(length(place_of(*simulation, "light") - beside), light + 2e-3f) << tick;
  }
}

TEST(GalleryRuns, PoolBallsScatterAndStayOnTheTableOrInANet) {
  const auto simulation = start("pool");
  std::map<std::string, math::Position> racked;
  for (int i = 1; i <= 15; ++i)
    racked["ball_" + std::to_string(i)] = place_of(*simulation, "ball_" + std::to_string(i));
  step_many(*simulation, a_minute / 2);
  int scattered = 0;
  for (const auto& [name, start_place] : racked) {
    const math::Position now = place_of(*simulation, name);
    scattered += length(now - start_place) > 0.15f ? 1 : 0;
    EXPECT_LT(std::abs(now.x), 1.4) << name;
    EXPECT_LT(std::abs(now.z), 0.85) << name;
    const bool is_on_the_bed = std::abs(now.y - 0.7786) < 1e-3;
    EXPECT_TRUE(is_on_the_bed || (now.y > 0.4 && now.y < 0.6)) << name << " at height " << now.y;
  }
  EXPECT_GE(scattered, 5);
  EXPECT_EQ(simulation->world().stats().awake_bodies, 0U) << "rolling ends";
}

TEST(GalleryRuns, PlanarSceneStaysPlanar) {
  const auto simulation = start("planar");
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  for (int tick = 0; tick < 600; ++tick) {
    const float push = tick / 100 % 2 == 0 ? 1.0f : -1.0f;
    step(*simulation,
         {input_of(ann, {{state::ActionKind::Shoot, {}, {-6, 1, 0}, {20, 5, 7}}}, push, push)});
    for (const state::BodyState& body : simulation->capture().bodies)
      ASSERT_EQ(body.pose.position.z, 0.0) << tick;
  }
}

}  // namespace
}  // namespace jostle::sim
