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

TEST_F(Simulate, AFailingRunIsShrunk) {
  RunOptions options{.seed = 1, .seconds = 20};
  options.plant = Plant::UnsafeRestart;
  while (simulate(options).failure.empty())
    ++options.seed;
  const RunOptions small = shrink(options);
  EXPECT_FALSE(simulate(small).failure.empty());
  EXPECT_LE(small.clients, 1U);
  EXPECT_LT(std::popcount(small.faults), std::popcount(all_faults) / 2);
  EXPECT_NE(command_of(small).find("--plant unsafe-restart"), std::string::npos);
}

}  // namespace
}  // namespace jostle::simulate
