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
    {"balls", 240, 0x269F3774A02948AEULL},        {"cradle", 240, 0x32E1A37573000CECULL},
    {"crates", 240, 0xF9882F44ABEC5C63ULL},       {"dominoes", 240, 0x6ADCFA86846A6128ULL},
    {"katamari", 120, 0xFB0B46F47FB34E8CULL},     {"pyramid", 240, 0x86AFBDDAEFC7CFA0ULL},
    {"tower", 240, 0x496E09C09AB99274ULL},        {"wall", 240, 0x101F8760B3BA8047ULL},
    {"shapes", 240, 0xFBC8EB02EBE54E13ULL},       {"joints", 240, 0x0BE2E4AFFF5C2EB5ULL},
    {"hooks", 240, 0x3810C7B35E211950ULL},        {"walk", 240, 0x7EEB8CA94EA6CB37ULL},
    {"gears", 240, 0x48465F97EB9C61E6ULL},        {"pendulums", 240, 0xCD6DE26585FD9150ULL},
    {"ragdolls", 240, 0x5F09ABB0A01B366CULL},     {"cars", 240, 0x91B6B74249A40C4BULL},
    {"bridge", 240, 0xE89DD5041C294E35ULL},       {"orbit", 240, 0x1D6CE1B1BBB3B588ULL},
    {"magnets", 240, 0xE413A9403E33506EULL},      {"boats", 240, 0xB9B6308F3E13833FULL},
    {"planar", 240, 0xAD90D285F7E37124ULL},       {"sorter", 400, 0xB85C164FB33FB8F2ULL},
    {"slow_motion", 240, 0x11C06D9EE11FEE56ULL},  {"rolling", 240, 0x01989EEF5644F938ULL},
    {"bullets", 240, 0xD149F0A0386E874FULL},      {"card_house", 240, 0x6326205F6A62112DULL},
    {"chain", 240, 0x995AFDB0B5876FDBULL},        {"marble_run", 240, 0x96DC9EC0432694D1ULL},
    {"mass_ratios", 240, 0x3072753C19F221C2ULL},  {"pool", 240, 0x59D354D7A26A1A70ULL},
    {"spinning_top", 240, 0x0DB98798DB050F01ULL}, {"particles", 240, 0x29782D50DB7F0A8CULL},
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
