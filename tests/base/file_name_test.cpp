#include "shared/base/file_name.h"

#include <gtest/gtest.h>

namespace jostle::base {
namespace {

TEST(FileNamePart, ReplacesUnsafeBytesByUnderscores) {
  EXPECT_EQ(file_name_part("mass_ratios-2"), "mass_ratios-2");
  EXPECT_EQ(file_name_part("../a b\\c:\n"), "___a_b_c__");
  EXPECT_EQ(file_name_part("J\xC3\xB6"), "J__");
  EXPECT_EQ(file_name_part(""), "");
}

TEST(FileNameEnding, IsRecognisedInUpperAndLowerCaseAfterAName) {
  EXPECT_TRUE(has_ending("a.jrec", ".jrec"));
  EXPECT_TRUE(has_ending("folder/A.JREC", ".jrec"));
  EXPECT_FALSE(has_ending(".jrec", ".jrec"));
  EXPECT_FALSE(has_ending("folder/.jrec", ".jrec"));
  EXPECT_FALSE(has_ending("a.jrec2", ".jrec"));
  EXPECT_FALSE(has_ending("rec", ".jrec"));
}

TEST(UtcStamp, IsDateAndTimeWithoutCharactersThatFileNamesForbid) {
  EXPECT_EQ(utc_stamp(0), "19700101T000000Z");
  EXPECT_EQ(utc_stamp(951'868'799), "20000229T235959Z");
  EXPECT_EQ(utc_stamp(1'795'471'530), "20261123T220530Z");
}

}  // namespace
}  // namespace jostle::base
