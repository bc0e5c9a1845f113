#include "shared/base/log.h"
#include "tools/simulate/run.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>

namespace jostle::simulate {
namespace {

class Simulate : public testing::Test {
 protected:
  void SetUp() override {
    base::set_log_sink([](base::LogLevel, const std::string&) {});
  }
  void TearDown() override { base::set_log_sink(nullptr); }
};

TEST_F(Simulate, TheSameSeedHasTheSameEvents) {
  const RunOptions options{.seed = 3, .seconds = 20};
  const RunResult one = simulate(options), two = simulate(options);
  EXPECT_EQ(one.failure, "");
  EXPECT_EQ(one.event_hash, two.event_hash);
  EXPECT_NE(one.event_hash, simulate({.seed = 4, .seconds = 20}).event_hash);
}

TEST_F(Simulate, FaultsHaveNames) {
  std::uint32_t faults = 0;
  EXPECT_TRUE(parse_faults(names_of(all_faults), faults));
  EXPECT_EQ(faults, all_faults);
  EXPECT_TRUE(parse_faults("clocks,bit-rot", faults));
  EXPECT_EQ(faults, Clocks | BitRot);
  EXPECT_FALSE(parse_faults("clocks,locks", faults));
  EXPECT_EQ(names_of(0), "none");
}

/// Each planted error is found within some seeds, so the rules can fail.
class Planted : public Simulate, public testing::WithParamInterface<std::size_t> {};

TEST_P(Planted, IsFound) {
  RunOptions options{.seed = 1, .seconds = 30};
  options.plant = static_cast<Plant>(GetParam());
  // Without these, more seeds reach the planted error.
  options.faults = ServerCrashes | PowerLosses | ClientCrashes;
  constexpr std::uint64_t seeds = 500;
  for (; options.seed <= seeds; ++options.seed) {
    const RunResult result = simulate(options);
    if (!result.failure.empty()) {
      RecordProperty("seed", std::to_string(options.seed));
      return;
    }
  }
  FAIL() << "no seed finds " << name_of(options.plant);
}

INSTANTIATE_TEST_SUITE_P(All, Planted, testing::Range(std::size_t{1}, plant_count),
                         [](const auto& info) {
                           std::string name = name_of(static_cast<Plant>(info.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Simulate, AFailingRunIsShrunk) {
  RunOptions options{.seed = 1, .seconds = 20};
  options.plant = Plant::UnsafeRestart;
  while (simulate(options).failure.empty())
    ++options.seed;
  const RunOptions small = shrink(options);
  EXPECT_FALSE(simulate(small).failure.empty());
  EXPECT_LE(small.clients, 1U);
  EXPECT_LE(std::popcount(small.faults), 3);
  EXPECT_NE(command_of(small).find("--plant unsafe-restart"), std::string::npos);
}

}  // namespace
}  // namespace jostle::simulate
