#include "shared/base/log.h"

#include <gtest/gtest.h>

namespace jostle::base {
namespace {

std::string line_with(std::string_view value) {
  testing::internal::CaptureStderr();
  info("message", {{"text", value}});
  return testing::internal::GetCapturedStderr();
}

TEST(Log, WritesPlainValuesUnquoted) {
  EXPECT_EQ(line_with("plain"), "info message text=plain\n");
  EXPECT_EQ(line_with("Zoë"), "info message text=Zoë\n");
}

TEST(Log, QuotesAndEscapesUntrustedValues) {
  EXPECT_EQ(line_with("two words"), "info message text=\"two words\"\n");
  EXPECT_EQ(line_with(""), "info message text=\"\"\n");
  EXPECT_EQ(line_with("a\"b\\c"), "info message text=\"a\\\"b\\\\c\"\n");
  EXPECT_EQ(line_with("x\nerror faked"), "info message text=\"x\\x0aerror faked\"\n");
  EXPECT_EQ(line_with("\r\x1b[2J\x7f"), "info message text=\"\\x0d\\x1b[2J\\x7f\"\n");
  // Control characters beyond ASCII, and marks that change the writing direction, are also escaped.
  EXPECT_EQ(line_with("\xC2\x9B"
                      "1m"),
            "info message text=\"\\xc2\\x9b"
            "1m\"\n");
  EXPECT_EQ(line_with("\xE2\x80\xAE"
                      "x"),
            "info message text=\"\\xe2\\x80\\xae"
            "x\"\n");
  EXPECT_EQ(line_with("\xFF"), "info message text=\"\\xff\"\n");
}

}  // namespace
}  // namespace jostle::base
