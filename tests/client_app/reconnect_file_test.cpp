#include "client/app/reconnect_file.h"

#include "shared/net/system_io.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

namespace jostle::client_app {
namespace {

class ReconnectFileTest : public testing::Test {
 protected:
  ReconnectFileTest() {
    std::string pattern = testing::TempDir() + "/reconnect_XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~ReconnectFileTest() override { std::filesystem::remove_all(folder); }
  std::unique_ptr<ReconnectFile> open(const std::string& server = "a.org:7777") {
    return std::make_unique<ReconnectFile>(io, folder, server);
  }

  net::SystemIo io;
  std::string folder;
};

TEST_F(ReconnectFileTest, KeepsTheTokenOfAViewerThatHasCrashed) {
  EXPECT_EQ(open()->token(), 0U);
  open()->keep(0xABCDEF0123456789ULL);
  EXPECT_EQ(open()->token(), 0xABCDEF0123456789ULL);
  EXPECT_EQ(open("b.org:7777")->token(), 0U) << "each server has its own tokens";
  auto file = open();
  file->keep(5);
  file->keep(6);
  file.reset();
  EXPECT_EQ(open()->token(), 6U);
  open()->keep(0);
  EXPECT_EQ(open()->token(), 0U) << "the player has left";
}

TEST_F(ReconnectFileTest, ViewersThatRunAtTheSameTimeHaveDifferentTokens) {
  auto ann = open(), bob = open();
  ann->keep(1);
  bob->keep(2);
  EXPECT_EQ(open()->token(), 0U) << "both tokens are in use";
  bob.reset();
  auto again = open();
  EXPECT_EQ(again->token(), 2U);
  ann.reset();
  EXPECT_EQ(open()->token(), 1U);
}

TEST_F(ReconnectFileTest, OnlyTheOwnerMayReadTheToken) {
  open()->keep(7);
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/reconnect")) {
    struct stat status {};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    ASSERT_EQ(::chmod(entry.path().c_str(), 0644), 0);
  }
  EXPECT_EQ(open()->token(), 0U) << "a file that others may read is not trusted";
}

TEST_F(ReconnectFileTest, KeepsNothingWithoutAFolder) {
  ReconnectFile none(io, "", "a.org:7777");
  none.keep(7);
  EXPECT_EQ(none.token(), 0U);
  ReconnectFile missing(io, "/proc/no_such_folder", "a.org:7777");
  missing.keep(7);
  EXPECT_EQ(missing.token(), 0U);
}

}  // namespace
}  // namespace jostle::client_app
