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

}  // namespace
}  // namespace jostle::base
