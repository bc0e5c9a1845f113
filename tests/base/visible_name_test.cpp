#include "shared/base/visible_name.h"

#include <gtest/gtest.h>

namespace jostle::base {
namespace {

TEST(VisibleName, MayHaveAnyScriptAndEmoji) {
  for (const char* name : {"crate 1", "brick_10", "Zo\u00eb", "\u0622\u0646", "\u5b89\u5a1c",
                           "\U0001F469\u200d\U0001F680", "\u0645\u06cc\u200c\u0631"})
    EXPECT_EQ(visible_name_fault(name), "") << name;
}

TEST(VisibleName, MustShowSomething) {
  for (const char* name : {" ", "   ", " a", "a "})
    EXPECT_EQ(visible_name_fault(name), "must not begin or end with a space") << name;
  for (const char* name : {"", "\u200d", "\u200c\ufe0f", "\u0301", "\u20dd"})
    EXPECT_EQ(visible_name_fault(name), "must have a visible character") << name;
  for (const char* name : {"\u200b", "a\u200b", "\u2800", "\ufeff"})
    EXPECT_EQ(visible_name_fault(name),
              "must have no invisible characters, such as zero-width spaces")
        << name;
  EXPECT_EQ(visible_name_fault("a\u00a0b"), "must have no other spaces than that of the space bar");
}

TEST(VisibleName, HasNoControlCharactersAndIsValidUtf8) {
  for (const char* name : {"a\nb", "\x1b[2J", "\u202eAnn", "\xff", "a\xc3", "a\xf0\x9f"})
    EXPECT_EQ(visible_name_fault(name),
              "must be UTF-8 text without control characters and marks of the writing direction");
}

TEST(AreNamesAlike, IgnoresJoinersCaseAndTheNumberOfSpaces) {
  EXPECT_TRUE(are_names_alike("Ann", "Ann"));
  EXPECT_TRUE(are_names_alike("Ann", "A\u200dnn\ufe0f"));
  EXPECT_TRUE(are_names_alike("Ann", "aNN"));
  EXPECT_TRUE(are_names_alike("Ann Lee", "ann   lee"));
  EXPECT_TRUE(are_names_alike("\u00c9va", "\u00e9VA"));
  EXPECT_TRUE(are_names_alike("\u0410\u043d\u044f \u0401", "\u0430\u041d\u042f \u0451"));
  EXPECT_TRUE(are_names_alike("\u0391\u03a9", "\u03b1\u03c9"));
}

TEST(AreNamesAlike, DistinguishesLettersAndLengths) {
  EXPECT_FALSE(are_names_alike("Ann", "Anna"));
  EXPECT_FALSE(are_names_alike("Anna", "Ann"));
  EXPECT_FALSE(are_names_alike("Ann Lee", "AnnLee"));
  EXPECT_FALSE(are_names_alike("a@", "a`"));
  EXPECT_FALSE(are_names_alike("a\u00d7", "a\u00f7")) << "multiplication and division signs";
}

}  // namespace
}  // namespace jostle::base
