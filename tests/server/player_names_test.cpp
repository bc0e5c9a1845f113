#include "server/player_names.h"

#include "protocol/player_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::server {
namespace {

TEST(FreePlayerName, CountsUpToTheFirstFreeName) {
  const std::vector<std::string> taken{"Ann", "Ann (2)", "Ann (4)", "Bob"};
  EXPECT_EQ(free_player_name("Ann", taken), "Ann (3)");
  EXPECT_EQ(free_player_name("Bob", taken), "Bob (2)");
  EXPECT_EQ(free_player_name("Eve", taken), "Eve");
  EXPECT_EQ(free_player_name("Ann (2)", taken), "Ann (2) (2)");
  EXPECT_EQ(free_player_name("Bo\u200db", taken), "Bo\u200db (2)") << "it looks like Bob";
  EXPECT_EQ(free_player_name("bob", taken), "bob (2)");
  EXPECT_EQ(free_player_name("ANN", taken), "ANN (3)");
}

TEST(FreePlayerName, CutsLongNamesBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 32; ++i)
    name += "\u00eb";
  const std::string other = free_player_name(name, std::vector<std::string>{name});
  EXPECT_EQ(other, name.substr(0, 60) + " (2)");
  EXPECT_EQ(protocol::name_fault(other), "");
}

}  // namespace
}  // namespace jostle::server
