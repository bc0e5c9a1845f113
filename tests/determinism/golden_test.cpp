#include "shared/base/bytes.h"
#include "shared/scene/scene.h"
#include "shared/sim/random_players.h"
#include "shared/sim/simulation.h"
#include "shared/sim/stock_rules.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iomanip>
#include <memory>
#include <ostream>
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
    {"balls", 240, 0xEED9788E697C617EULL},       {"cradle", 240, 0x9EE5707FF33F2FF9ULL},
    {"crates", 240, 0x6E40DA47FDAC75AFULL},      {"dominoes", 240, 0xB3F8BC6E7BF0C25BULL},
    {"katamari", 120, 0x5F4D78C60A8778B9ULL},    {"pyramid", 240, 0xF31AA0BECC26B3CDULL},
    {"tower", 240, 0xEC95F7CC8EB03B17ULL},       {"wall", 240, 0x64B73AD3CC09FA21ULL},
    {"shapes", 240, 0x91E6BDD6060B6B62ULL},      {"joints", 240, 0x68728CADEA3CE32BULL},
    {"hooks", 240, 0xCAFAD2B0A108BDF3ULL},       {"walk", 240, 0xFEC7342FA4C56835ULL},
    {"gears", 240, 0x86B789105D1024E1ULL},       {"pendulums", 240, 0xC4F8C0E7E226FC8EULL},
    {"ragdolls", 240, 0x51264883D91AD06BULL},    {"cars", 240, 0xB09AACF2FA93578BULL},
    {"bridge", 240, 0x65EA678E47854931ULL},      {"orbit", 240, 0xA061AF4025F14CFCULL},
    {"magnets", 240, 0x3006010952AE6ECDULL},     {"boats", 240, 0x1F467E6CE63F2F8FULL},
    {"planar", 240, 0x3FE56BD2F52F25F7ULL},      {"sorter", 400, 0x6F31A8DF0A45DBD9ULL},
    {"slow_motion", 240, 0x4E7CF66B757AB7F6ULL}, {"rolling", 240, 0x8BEE38516145012AULL},
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

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenHash, testing::ValuesIn(goldens),
                         [](const testing::TestParamInfo<Golden>& row) { return row.param.scene; });

}  // namespace
}  // namespace jostle
