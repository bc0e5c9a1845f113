#include "protocol/player_name.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::protocol {
namespace {

TEST(PlayerName, MayHaveAnyScriptAndEmoji) {
  for (const char* name :
       {"Ann", "A", "Ann Lee", "Zo\u00eb", "\u0622\u0646", "\u5b89\u5a1c", "(x)", "\U0001F600",
        "\U0001F469\u200d\U0001F680", "\u2764\ufe0f", "\u0645\u06cc\u200c\u0631"})
    EXPECT_EQ(name_fault(name), "") << name;
  EXPECT_EQ(name_fault(std::string(64, 'a')), "");
}

TEST(PlayerName, IsNeitherEmptyNorTooLong) {
  EXPECT_EQ(name_fault(""), "a name must have 1 to 64 bytes, not 0");
  EXPECT_EQ(name_fault(std::string(65, 'a')), "a name must have 1 to 64 bytes, not 65");
}

TEST(PlayerName, IsValidTextWithoutControlCharacters) {
  for (const char* name : {"a\nb", "\x1b[2J", "\x7f", "\xff", "a\xc3", "\u0085"})
    EXPECT_EQ(name_fault(name), "a name must be UTF-8 text without control characters");
}

TEST(PlayerName, IsNotBlank) {
  for (const char* name : {" ", "  ", " Ann", "Ann "})
    EXPECT_EQ(name_fault(name), "a name must not begin or end with a space") << name;
  for (const char* name : {"\u00a0", "\u3000", "Ann\u2003Lee", "\u2029"})
    EXPECT_NE(name_fault(name), "") << name;
  for (const char* name : {"\u200d", "\u200c\ufe0f"})
    EXPECT_EQ(name_fault(name), "a name must have a visible character") << name;
}

TEST(PlayerName, HasNoInvisibleCharacters) {
  for (const char* name : {"Ann\u200b", "\u00ad", "\u202eAnn", "\u2066Ann", "\ufeff", "\u3164",
                           "\u2800", "\ue000", "\uffff", "\U000e0041", "\U000f0000"})
    EXPECT_NE(name_fault(name), "") << name;
}

}  // namespace
}  // namespace jostle::protocol
