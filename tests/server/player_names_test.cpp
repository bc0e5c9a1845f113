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

TEST(FreePlayerName, NumbersNamesThatDifferOnlyInTheirUnicodeForm) {
  const std::vector<std::string> taken{"Zo\u00eb", "Stra\u00dfe"};
  EXPECT_EQ(free_player_name("Zoe\u0308", taken), "Zoe\u0308 (2)");
  EXPECT_EQ(free_player_name("ZOE\u0308", taken), "ZOE\u0308 (2)");
  EXPECT_EQ(free_player_name("\uff3ao\u00eb", taken), "\uff3ao\u00eb (2)") << "full-width Z";
  EXPECT_EQ(free_player_name("STRASSE", taken), "STRASSE (2)");
  EXPECT_EQ(free_player_name("Zoe", taken), "Zoe");
}

TEST(FreePlayerName, CutsLongNamesBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 32; ++i)
    name += "\u00eb";
  const std::string other = free_player_name(name, std::vector<std::string>{name});
  EXPECT_EQ(other, name.substr(0, 60) + " (2)");
  EXPECT_EQ(protocol::name_fault(other), "");
}

TEST(PlayerNameKey, IgnoresJoinersCaseAndTheNumberOfSpaces) {
  const auto is_same = [](const char* a, const char* b) {
    return player_name_key(a) == player_name_key(b);
  };
  EXPECT_TRUE(is_same("Ann", "A\u200dnn\ufe0f"));
  EXPECT_TRUE(is_same("Ann", "aNN"));
  EXPECT_TRUE(is_same("Ann Lee", "ann   lee"));
  EXPECT_TRUE(is_same("\u00c9va", "\u00e9VA"));
  EXPECT_TRUE(is_same("\u0410\u043d\u044f \u0401", "\u0430\u041d\u042f \u0451"));
  EXPECT_TRUE(is_same("\u0391\u03a9", "\u03b1\u03c9"));
}

TEST(PlayerNameKey, DistinguishesLettersAndLengths) {
  EXPECT_NE(player_name_key("Ann"), player_name_key("Anna"));
  EXPECT_NE(player_name_key("Ann Lee"), player_name_key("AnnLee"));
  EXPECT_NE(player_name_key("a@"), player_name_key("a`"));
  EXPECT_NE(player_name_key("a\u00d7"), player_name_key("a\u00f7")) << "times and division";
  EXPECT_NE(player_name_key("a"), player_name_key("\u0430")) << "Latin and Cyrillic";
}

TEST(DisplayedPlayerName, IsComposedIfItFits) {
  EXPECT_EQ(displayed_player_name("Zoe\u0308"), "Zo\u00eb");
  EXPECT_EQ(displayed_player_name("\uff21nn  B"), "\uff21nn  B") << "only NFC, not NFKC";
  // Form C writes U+0958 as two code points, because it is excluded from composition.
  std::string name;
  for (int i = 0; i < 21; ++i)
    name += "\u0958";
  EXPECT_EQ(displayed_player_name(name), name);
}

}  // namespace
}  // namespace jostle::server
