#include "protocol/text.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

namespace jostle::protocol {
namespace {

TEST(WireText, AcceptsUtf8) {
  for (const char* text : {"", "player", "Zoë", "日本", "🙂"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(is_wire_text(text, 64));
    EXPECT_EQ(to_wire_text(text, 64), text);
  }
}

TEST(WireText, RejectsControlCharactersAndInvalidUtf8) {
  const std::string bad[] = {
      "a\nb",     "\x1b[31m", "\x7f",         std::string("\0", 1), "\xff",
      "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80",   "\xc2\x9b",
      "\x80"};
  for (const std::string& text : bad) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(is_wire_text(text, 64));
    EXPECT_TRUE(is_wire_text(to_wire_text(text, 64), 64));
  }
}

TEST(WireText, CutsBetweenCharacters) {
  EXPECT_TRUE(is_wire_text("aë", 3));
  EXPECT_FALSE(is_wire_text("aë", 2));
  EXPECT_EQ(to_wire_text("aë", 2), "a");
}

TEST(WireText, ConvertsAnyBytesToValidText) {
  base::Random random(2);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    std::string text;
    for (std::uint32_t i = random.below(40); i > 0; --i)
      text += static_cast<char>(static_cast<unsigned char>(random.below(256)));
    EXPECT_TRUE(is_wire_text(to_wire_text(text, 20), 20));
  }
}

}  // namespace
}  // namespace jostle::protocol
