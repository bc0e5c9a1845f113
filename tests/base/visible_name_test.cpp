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

}  // namespace
}  // namespace jostle::base
