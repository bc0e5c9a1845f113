#include "shared/journal/player_log.h"

#include "tests/journal/memory_files.h"

#include <gtest/gtest.h>

namespace jostle::journal {
namespace {

TEST(PlayerLog, ReturnsTheTokensOfPlayersThatHaveNotLeft) {
  MemoryFiles files;
  InlineExecutor executor;
  PlayerLog log(files, executor, "state/players", true);
  ASSERT_EQ(log.begin({{{9}, 99}}), "");
  log.set({1}, 11);
  log.set({2}, 22);
  log.set({1}, 0xfedcba9876543210);
  log.remove({2});
  files.crash();
  const PlayerLog::Tokens expected{{{1}, 0xfedcba9876543210}, {{9}, 99}};
  EXPECT_EQ(*PlayerLog::read(files, "state/players"), expected);
}

TEST(PlayerLog, IgnoresDamagedAndIncompleteLines) {
  MemoryFiles files;
  InlineExecutor executor;
  PlayerLog log(files, executor, "state/players", false);
  ASSERT_EQ(log.begin({}), "");
  log.set({1}, 11);
  log.set({2}, 22);
  auto& bytes = files.files.at("state/players")->bytes;
  bytes[3] ^= std::byte{1};
  bytes.push_back(std::byte{'3'});
  const PlayerLog::Tokens expected{{{2}, 22}};
  EXPECT_EQ(*PlayerLog::read(files, "state/players"), expected);
}

TEST(PlayerLog, StaysSmallWhenPlayersComeAndGo) {
  MemoryFiles files;
  InlineExecutor executor;
  PlayerLog log(files, executor, "state/players", false);
  ASSERT_EQ(log.begin({}), "");
  log.set({1}, 11);
  for (std::uint16_t i = 2; i < 20'000; ++i) {
    log.set({i}, i);
    log.remove({i});
  }
  EXPECT_LT(files.files.at("state/players")->bytes.size(), 100'000U);
  const PlayerLog::Tokens expected{{{1}, 11}};
  EXPECT_EQ(*PlayerLog::read(files, "state/players"), expected);
}

TEST(PlayerLog, IsWrittenAgainAfterAFullDisk) {
  MemoryFiles files;
  InlineExecutor executor;
  PlayerLog log(files, executor, "state/players", true);
  ASSERT_EQ(log.begin({}), "");
  log.set({1}, 11);
  files.write_error = ENOSPC;
  testing::internal::CaptureStderr();
  log.set({2}, 22);
  log.set({3}, 33);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("No space left on device"), std::string::npos) << text;
  files.write_error = 0;
  log.set({4}, 44);
  const PlayerLog::Tokens expected{{{1}, 11}, {{2}, 22}, {{3}, 33}, {{4}, 44}};
  EXPECT_EQ(*PlayerLog::read(files, "state/players"), expected);
}

}  // namespace
}  // namespace jostle::journal
