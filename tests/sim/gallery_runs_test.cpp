// What scenes of the gallery promise in their descriptions.
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

TEST(GalleryRuns, TheSorterSortsRedBoxesFromBlueBarrels) {
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

TEST(GalleryRuns, TheBallWinsTheRaceAndTheHoopIsLast) {
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

TEST(GalleryRuns, TheFlatWorldStaysFlat) {
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
