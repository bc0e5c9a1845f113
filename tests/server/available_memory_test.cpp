#include "server/available_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace jostle::server {
namespace {

class AvailableMemory : public testing::Test {
 protected:
  AvailableMemory() { std::filesystem::create_directories(root_); }
  ~AvailableMemory() override { std::filesystem::remove_all(root_); }
  void write(const std::string& group, const std::string& limit, const std::string& used) {
    std::filesystem::create_directories(root_ + group);
    std::ofstream(root_ + group + "/memory.max") << limit << "\n";
    std::ofstream(root_ + group + "/memory.current") << used << "\n";
  }
  std::size_t left(const std::string& own) const { return available_in_groups(root_, own); }

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  std::string root_ = testing::TempDir() + "groups";
};

TEST_F(AvailableMemory, IsTheSmallestRestOfTheGroupsThatContainTheProcess) {
  write("/rooms", "5000", "1000");
  write("/rooms/one", "max", "900");
  EXPECT_EQ(left("0::/rooms/one\n"), 4'000U);
  write("/rooms/one", "1500", "900");
  EXPECT_EQ(left("0::/rooms/one\n"), 600U);
  write("/rooms/one", "1500", "1700");
  EXPECT_EQ(left("0::/rooms/one\n"), 0U);
  // Lines of version 1 come before that of version 2.
  EXPECT_EQ(left("4:memory:/other\n0::/rooms\n"), 4'000U);
}

TEST_F(AvailableMemory, IsUnlimitedWithoutGroupsOfVersion2) {
  EXPECT_EQ(left("4:memory:/rooms\n"), unlimited);
  EXPECT_EQ(left("0::/\n"), unlimited);
  EXPECT_EQ(left(""), unlimited);
}

TEST_F(AvailableMemory, OfThisProcessIsKnown) {
  EXPECT_GT(available_memory(), 0U);
  EXPECT_LT(available_memory(), unlimited);
}

}  // namespace
}  // namespace jostle::server
