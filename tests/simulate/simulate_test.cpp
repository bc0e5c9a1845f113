#include "server/token_store.h"
#include "shared/base/log.h"
#include "shared/keyring/token_files.h"
#include "shared/net/virtual_network.h"
#include "tools/simulate/disk_io.h"
#include "tools/simulate/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cerrno>
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

// A sync that has failed once proves nothing about the file any more.
TEST_F(Simulate, AUsedTokenIsDurableAfterAnEarlierFailedSync) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    net::VirtualNetwork network(seed);
    VirtualDisk disk(seed, Plant::None);
    DiskIo io(network.node(0x0A000001), disk);
    server::TokenStore store(io, "keys", nullptr);
    using Answer = server::TokenStore::Answer;
    const auto use = [&](std::uint8_t number) {
      return store
          .store(
              {.id = {std::byte{number}}, .not_after_s = 1'800'000'600, .client = {std::byte{1}}})
          ->load();
    };
    ASSERT_EQ(use(1), Answer::Stored);
    disk.set_sync_error(EIO);
    ASSERT_EQ(use(2), Answer::Refused);
    disk.heal();
    ASSERT_EQ(use(3), Answer::Stored);
    disk.crash();
    const auto used = keyring::read_used_tokens(io, "keys");
    ASSERT_TRUE(used) << used.error();
    const auto is_third = [](const keyring::UsedToken& token) {
      return token.id[0] == std::byte{3};
    };
    EXPECT_TRUE(std::any_of(used->tokens.begin(), used->tokens.end(), is_third));
  }
}

}  // namespace
}  // namespace jostle::simulate
