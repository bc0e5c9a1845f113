#include "shared/base/bytes.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "shared/sim/simulation.h"
#include "tests/determinism/gallery_goldens.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>

namespace jostle {
namespace {

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << std::uppercase << std::setw(16) << std::setfill('0') << value;
  return text.str();
}

std::unique_ptr<sim::Simulation> start(const std::string& name) {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto scene = scene::parse_scene(text, path);
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().text());
  return std::make_unique<sim::Simulation>(*std::move(scene), sim::SimulationOptions{60, 7},
                                           sim::default_rules());
}

/// Returns a simulation that is restored from a save of the original.
std::unique_ptr<sim::Simulation> copy_of(const sim::Simulation& original, const std::string& name) {
  base::ByteWriter saved;
  original.save(saved);
  auto copy = start(name);
  base::ByteReader reader(saved.bytes());
  EXPECT_TRUE(copy->restore(reader).has_value());
  return copy;
}

class GoldenHash : public testing::TestWithParam<GalleryGolden> {};

TEST_P(GoldenHash, MatchesForTheRunAndItsRestoredCopy) {
  const GalleryGolden& golden = GetParam();
  auto simulation = start(golden.scene);
  sim::RandomInputs players(7, 2);
  std::unique_ptr<sim::Simulation> copy;
  for (std::uint32_t tick = 1; tick <= golden.ticks; ++tick) {
    const state::TickCommands commands = players.next(*simulation);
    simulation->step(commands);
    if (copy) {
      copy->step(commands);
      ASSERT_EQ(copy->hash(), simulation->hash()) << "tick " << tick;
    }
    if (tick == golden.ticks / 2) copy = copy_of(*simulation, golden.scene);
  }
  EXPECT_GT(simulation->world().stats().awake_bodies, 0U) << "take the hash while bodies are awake";
  EXPECT_EQ(simulation->world().stats().quarantined_bodies, 0U);
  EXPECT_EQ(hex(simulation->hash().total), hex(golden.hash));
}

TEST_P(GoldenHash, RepeatsWhenTheSceneRunsAgain) {
  const GalleryGolden& golden = GetParam();
  const auto run = [&] {
    auto simulation = start(golden.scene);
    sim::RandomInputs players(7, 2);
    for (std::uint32_t i = 0; i < golden.ticks; ++i)
      simulation->step(players.next(*simulation));
    return simulation->hash();
  };
  EXPECT_EQ(run(), run());
}

TEST(GoldenHashes, CoverEverySceneThatShips) {
  std::set<std::string> with_golden;
  for (const GalleryGolden& golden : gallery_goldens)
    with_golden.insert(std::string(golden.scene) + ".scene.json");
  std::size_t shipped = 0;
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenes")) {
    if (!entry.path().filename().string().ends_with(".scene.json")) continue;
    ++shipped;
    EXPECT_TRUE(with_golden.contains(entry.path().filename().string())) << entry.path();
  }
  EXPECT_EQ(shipped, with_golden.size());
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenHash, testing::ValuesIn(gallery_goldens),
                         [](const testing::TestParamInfo<GalleryGolden>& row) {
                           return std::string(row.param.scene);
                         });

}  // namespace
}  // namespace jostle
