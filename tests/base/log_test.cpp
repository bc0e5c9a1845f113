#include "shared/base/log.h"

#include <gtest/gtest.h>

namespace jostle::base {
namespace {

std::string line_with(std::string_view value) {
  testing::internal::CaptureStderr();
  info("said", {{"words", value}});
  return testing::internal::GetCapturedStderr();
}

TEST(Log, WritesPlainValuesUnquoted) {
  EXPECT_EQ(line_with("plain"), "info said words=plain\n");
  EXPECT_EQ(line_with("Zoë"), "info said words=Zoë\n");
}

TEST(Log, QuotesAndEscapesUntrustedValues) {
  EXPECT_EQ(line_with("two words"), "info said words=\"two words\"\n");
  EXPECT_EQ(line_with(""), "info said words=\"\"\n");
  EXPECT_EQ(line_with("a\"b\\c"), "info said words=\"a\\\"b\\\\c\"\n");
  EXPECT_EQ(line_with("x\nerror faked"), "info said words=\"x\\x0aerror faked\"\n");
  EXPECT_EQ(line_with("\r\x1b[2J\x7f"), "info said words=\"\\x0d\\x1b[2J\\x7f\"\n");
  // Control characters beyond ASCII are also escaped, and marks that change the writing direction.
  EXPECT_EQ(line_with("\xC2\x9B"
                      "1m"),
            "info said words=\"\\xc2\\x9b"
            "1m\"\n");
  EXPECT_EQ(line_with("\xE2\x80\xAE"
                      "x"),
            "info said words=\"\\xe2\\x80\\xae"
            "x\"\n");
  EXPECT_EQ(line_with("\xFF"), "info said words=\"\\xff\"\n");
}

}  // namespace
}  // namespace jostle::base
