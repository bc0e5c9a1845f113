#include "client/settings/toml_reader.h"

#include "shared/base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jostle::settings {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> keys_of(const TomlContents& contents) {
  std::vector<std::string> keys;
  for (const TomlEntry& entry : contents.entries)
    keys.push_back(entry.key);
  return keys;
}

TEST(TomlReader, ReturnsKeysInFileOrderWithPositions) {
  const TomlContents contents =
      read_toml("b = 1\na = true\n[t]\n  z = [\"x\", \"y\"]\nc.d = 0.5\n");
  EXPECT_THAT(keys_of(contents), ElementsAre("b", "a", "t.z", "t.c.d"));
  ASSERT_EQ(contents.entries.size(), 4U);
  EXPECT_EQ(std::get<std::int64_t>(contents.entries[0].value), 1);
  EXPECT_TRUE(std::get<bool>(contents.entries[1].value));
  EXPECT_THAT(std::get<TomlTexts>(contents.entries[2].value), ElementsAre("x", "y"));
  EXPECT_EQ(std::get<double>(contents.entries[3].value), 0.5);
  EXPECT_EQ(contents.entries[2].key_place.line, 4U);
  EXPECT_EQ(contents.entries[2].key_place.column, 3U);
  EXPECT_EQ(contents.entries[2].value_place.column, 7U);
  EXPECT_THAT(contents.faults, IsEmpty());
}

TEST(TomlReader, SkipsOnlyTheLineOfAnError) {
  const TomlContents contents = read_toml("a = 1\nb = = 2\nc = 3\nc = 4\nd = \"five\n");
  EXPECT_THAT(keys_of(contents), ElementsAre("a", "c"));
  ASSERT_EQ(contents.faults.size(), 3U);
  EXPECT_EQ(contents.faults[0].place.line, 2U);
  EXPECT_EQ(contents.faults[1].place.line, 4U);
  EXPECT_EQ(contents.faults[2].place.line, 5U);
  for (const TomlFault& fault : contents.faults)
    EXPECT_FALSE(fault.text.empty());
}

// If the reader skipped only the header line, the entries of its table would be assigned to the
// table before it.
TEST(TomlReader, SkipsATableWithAnErrorInItsHeader) {
  const TomlContents contents = read_toml("[one]\na = 1\n[two\na = 2\nb = 2\n[three]\na = 3\n");
  EXPECT_THAT(keys_of(contents), ElementsAre("one.a", "three.a"));
  EXPECT_EQ(contents.faults.size(), 1U);
}

TEST(TomlReader, StopsAfterAMaximumNumberOfErrors) {
  std::string noise;
  for (int i = 0; i < 300; ++i)
    noise += "]]] = [[[ \x01 \xff\n";
  EXPECT_FALSE(read_toml(noise).faults.empty());
  EXPECT_LE(read_toml(noise).faults.size(), 9U);
  EXPECT_FALSE(read_toml(std::string(100'000, '[')).faults.empty());
  EXPECT_TRUE(read_toml("").entries.empty());
}

// The inputs are random corruptions of a valid file.
TEST(TomlReader, ReadsTheEntriesOfCorruptedFilesAndNamesThePlaceOfEachFault) {
  int faultless = 0;
  const std::string good =
      "name = \"Ann\"\n[window]\nsize = \"1x1\"\n[keys]\njump = [\"A\", 'B']\na.b = {c = 1}\n"
      "t = 2026-01-01T00:00:00Z\nx = 0x1F\nf = 1e3\n[[list]]\nm = \"\"\"two\nlines\"\"\"\n";
  constexpr std::uint64_t seed = 11;
  base::Random random(seed);
  const std::string letters = "[]{}=.\"'\n\\#,-+_0aeTZ: \x01\xff\xc3";
  for (int round = 0; round < 3'000; ++round) {
    std::string text = good;
    for (std::uint64_t i = random.below(6); i < 6; ++i) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
      const char letter = letters[random.below(static_cast<std::uint32_t>(letters.size()))];
      if (random.below(3) == 0) {
        text.resize(at + 1);
      } else if (random.below(2) == 0) {
        text[at] = letter;
      } else {
        text.insert(at, 1 + random.below(3), letter);
      }
    }
    SCOPED_TRACE(testing::Message() << "seed " << seed << " round " << round << '\n' << text);
    const TomlContents contents = read_toml(text);
    EXPECT_LE(contents.faults.size(), 9U);
    if (contents.faults.size() > 8) {
      EXPECT_TRUE(contents.entries.empty());
    }
    if (contents.faults.empty()) ++faultless;
    const auto is_in_text = [&](const TextPlace& place) {
      const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
      return place.line >= 1 && place.line <= lines && place.column >= 1;
    };
    for (const TomlFault& fault : contents.faults) {
      EXPECT_TRUE(is_in_text(fault.place));
      EXPECT_FALSE(fault.text.empty());
    }
    for (const TomlEntry& entry : contents.entries) {
      EXPECT_TRUE(is_in_text(entry.key_place) && is_in_text(entry.value_place));
      EXPECT_FALSE(entry.key.empty());
    }
  }
  EXPECT_GT(faultless, 100);
  EXPECT_LT(faultless, 2'900);
}

TEST(TomlReader, RoundTripsQuotedTexts) {
  for (const std::string text : {"plain", "with \"quotes\" and \\", "tab\tand\nline", "Zoë \x7f"}) {
    const TomlContents contents = read_toml("a = " + toml_quoted(text) + "\n");
    ASSERT_EQ(contents.entries.size(), 1U) << text;
    EXPECT_EQ(std::get<std::string>(contents.entries[0].value), text);
  }
}

}  // namespace
}  // namespace jostle::settings
