#include "shared/base/bytes.h"
#include "shared/scene/scene.h"
#include "shared/sim/random_players.h"
#include "shared/sim/simulation.h"
#include "shared/sim/stock_rules.h"

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

/// A run: the scene with two random players of seed 7, and the hash of its state after `ticks`,
/// which is taken while bodies are awake.
struct Golden {
  std::string scene;
  std::uint32_t ticks;
  std::uint64_t hash;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.scene;
}

// Golden on purpose: equal within a build is not equal across builds. The same values hold for gcc
// and clang, Debug and Release. Change one only together with an intended
// change of behaviour, and say in the commit which.
const Golden goldens[] = {
    {"balls", 240, 0xF4CCEB1AAABAC11FULL},        {"cradle", 240, 0x32E1A37573000CECULL},
    {"crates", 240, 0xB494A7607101379DULL},       {"dominoes", 240, 0x2EDE79A856DC683DULL},
    {"katamari", 120, 0x2AA70D508C29A921ULL},     {"pyramid", 240, 0xDB3643C55F4D5EF9ULL},
    {"tower", 240, 0x496E09C09AB99274ULL},        {"wall", 240, 0x4A5D53FB2BC40B1BULL},
    {"shapes", 240, 0x62F4913410AD0532ULL},       {"joints", 240, 0xF267BB2462AD5525ULL},
    {"hooks", 240, 0x4B7A033887CC2FCEULL},        {"walk", 240, 0x7EEB8CA94EA6CB37ULL},
    {"gears", 240, 0x4687DC55EDA5693BULL},        {"pendulums", 240, 0x926AB8A08D44837FULL},
    {"ragdolls", 240, 0x3FDEE71AF7122054ULL},     {"cars", 240, 0xB48731C772012795ULL},
    {"bridge", 240, 0x991188EF01C3829DULL},       {"orbit", 240, 0x0C9C86D08F07C096ULL},
    {"magnets", 240, 0xD12085924C9621C5ULL},      {"boats", 240, 0x10A1FF74BC219252ULL},
    {"planar", 240, 0xE02EDCA12AA99709ULL},       {"sorter", 400, 0xF7ED461754E75EECULL},
    {"slow_motion", 240, 0x9029D2AF600D144FULL},  {"rolling", 240, 0xC767ABA5E48B20B1ULL},
    {"bullets", 240, 0xC6B29A208369D49BULL},      {"card_house", 240, 0xE0A52016608DD960ULL},
    {"chain", 240, 0xE6BFF8DF7E66562CULL},        {"marble_run", 240, 0x8E04F1428B93210BULL},
    {"mass_ratios", 240, 0x45841A52847BEBA9ULL},  {"pool", 240, 0x1944B5D54D8AFB42ULL},
    {"spinning_top", 240, 0x86E8B53D88A6A94DULL}, {"particles", 240, 0x9D9A809033F38C4CULL},
    {"integrators", 240, 0xF8F1E948E09DBD28ULL},
};

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
                                           sim::stock_rules());
}

/// Goes on as the original from a save of it.
std::unique_ptr<sim::Simulation> copy_of(const sim::Simulation& original, const std::string& name) {
  base::ByteWriter saved;
  original.save(saved);
  auto copy = start(name);
  base::ByteReader reader(saved.bytes());
  EXPECT_TRUE(copy->restore(reader).has_value());
  return copy;
}

class GoldenHash : public testing::TestWithParam<Golden> {};

TEST_P(GoldenHash, HoldsForTheRunAndForItsRestoredCopy) {
  const Golden& golden = GetParam();
  auto simulation = start(golden.scene);
  sim::RandomPlayers players(7, 2);
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
  EXPECT_GT(simulation->world().stats().awake_bodies, 0U)
      << "a hash of a sleeping world says little";
  EXPECT_EQ(simulation->world().stats().quarantined_bodies, 0U);
  EXPECT_EQ(hex(simulation->hash().total), hex(golden.hash));
}

TEST_P(GoldenHash, IsTheSameWhenRunAgain) {
  const Golden& golden = GetParam();
  const auto run = [&] {
    auto simulation = start(golden.scene);
    sim::RandomPlayers players(7, 2);
    for (std::uint32_t i = 0; i < golden.ticks; ++i)
      simulation->step(players.next(*simulation));
    return simulation->hash();
  };
  EXPECT_EQ(run(), run());
}

TEST(GoldenHashes, CoverEverySceneThatShips) {
  std::set<std::string> with_golden;
  for (const Golden& golden : goldens)
    with_golden.insert(golden.scene + ".scene.json");
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenes"))
    EXPECT_TRUE(with_golden.contains(entry.path().filename().string())) << entry.path();
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenHash, testing::ValuesIn(goldens),
                         [](const testing::TestParamInfo<Golden>& row) { return row.param.scene; });

}  // namespace
}  // namespace jostle
