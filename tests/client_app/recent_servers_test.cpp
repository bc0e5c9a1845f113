#include "client/app/recent_servers.h"

#include "shared/net/virtual_network.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace jostle::client_app {
namespace {

class RecentServersTest : public testing::Test {
 protected:
  void write(const std::string& text) {
    ASSERT_TRUE(io.write_file("recent", std::as_bytes(std::span(text))));
  }
  std::string text() {
    const auto bytes = io.read_file("recent", 1 << 20).value();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  net::VirtualNetwork network{1};
  net::VirtualNode& io = network.node(net::Ip{0x0A000001});
};

TEST_F(RecentServersTest, SavesNewestFirstWithoutDuplicates) {
  RecentServers recent(io, "recent");
  EXPECT_TRUE(recent.servers().empty());
  for (const char* server : {"a.org:7777", "[::1]:9000", "a.org:7777"})
    recent.add(server);
  const std::vector<std::string> expected{"a.org:7777", "[::1]:9000"};
  EXPECT_EQ(recent.servers(), expected);
  EXPECT_EQ(text(), "a.org:7777\n[::1]:9000\n");
  EXPECT_EQ(RecentServers(io, "recent").servers(), expected);
}

TEST_F(RecentServersTest, KeepsAtMostTwentyServers) {
  RecentServers recent(io, "recent");
  for (int i = 0; i < 30; ++i)
    recent.add("host:" + std::to_string(1'000 + i));
  EXPECT_EQ(recent.servers().size(), RecentServers::most);
  EXPECT_EQ(recent.servers().front(), "host:1029");
  std::string many;
  for (int i = 0; i < 30; ++i)
    many += "host:" + std::to_string(1'000 + i) + "\n";
  write(many);
  EXPECT_EQ(RecentServers(io, "recent").servers().size(), RecentServers::most);
}

TEST_F(RecentServersTest, SkipsInvalidLines) {
  write("a.org:7777\n\nno port\nhost\nhost:0\nhost:99999\nev\x1bil:7777\n" + std::string(301, 'h') +
        ":7777\n[::1]:7777\na.org:7777\nlast:1");
  EXPECT_EQ(RecentServers(io, "recent").servers(),
            (std::vector<std::string>{"a.org:7777", "[::1]:7777", "last:1"}));
}

TEST_F(RecentServersTest, SavesNothingWithoutAFolder) {
  RecentServers recent(io, "");
  recent.add("a.org:7777");
  EXPECT_TRUE(recent.servers().empty());
}

TEST_F(RecentServersTest, SurvivesAFullDisk) {
  io.set_disk_capacity_bytes(3);
  RecentServers recent(io, "recent");
  recent.add("a.org:7777");
  EXPECT_EQ(recent.servers().size(), 1U);
}

}  // namespace
}  // namespace jostle::client_app
