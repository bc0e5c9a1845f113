#include "shared/unicode/normalization.h"

#include <gtest/gtest.h>

namespace jostle::unicode {
namespace {

TEST(Normalization, NfcComposesLettersAndMarks) {
  EXPECT_EQ(to_nfc("Zoe\u0308"), "Zo\u00eb");
  EXPECT_EQ(to_nfc("Zo\u00eb"), "Zo\u00eb");
  EXPECT_EQ(to_nfc("\u1112\u1161\u11ab"), "\ud55c") << "Hangul";
  EXPECT_EQ(to_nfc("a\u0323\u0307"), to_nfc("a\u0307\u0323")) << "the order of marks";
  EXPECT_EQ(to_nfc("\u2126"), "\u03a9") << "the ohm sign";
}

TEST(Normalization, NfcKeepsCaseCompatibleCharactersAndJoiners) {
  for (const char* text : {"", "Ann", "\uff21nn", "\ufb01sh", "\U0001F469\u200d\U0001F680"})
    EXPECT_EQ(to_nfc(text), text);
}

TEST(Normalization, CasefoldRemovesDifferencesInCaseCompositionAndCompatibility) {
  EXPECT_EQ(to_nfkc_casefold("ZOE\u0308"), "zo\u00eb");
  EXPECT_EQ(to_nfkc_casefold("STRASSE"), to_nfkc_casefold("Stra\u00dfe"));
  EXPECT_EQ(to_nfkc_casefold("\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2"),
            to_nfkc_casefold("\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3"))
      << "both forms of the small sigma";
  EXPECT_EQ(to_nfkc_casefold("\uff21\uff2e\uff2e"), "ann");
  EXPECT_EQ(to_nfkc_casefold("A\u200dnn\ufe0f\u00ad"), "ann");
  EXPECT_EQ(to_nfkc_casefold("\u0531"), "\u0561") << "Armenian";
  // The marks of the second text are in another order, so folding must decompose the text first.
  EXPECT_EQ(to_nfkc_casefold("\u1fb4"), to_nfkc_casefold("\u03b1\u0345\u0301"));
}

TEST(Normalization, CasefoldKeepsDifferentLetters) {
  EXPECT_NE(to_nfkc_casefold("a"), to_nfkc_casefold("\u0430")) << "Latin and Cyrillic";
  EXPECT_NE(to_nfkc_casefold("e"), to_nfkc_casefold("\u00e9"));
}

TEST(Normalization, KeepsInvalidUtf8Unchanged) {
  for (const char* text : {"\xff", "A\xc3", "A\xed\xa0\x80"}) {
    EXPECT_EQ(to_nfc(text), text);
    EXPECT_EQ(to_nfkc_casefold(text), text);
  }
}

}  // namespace
}  // namespace jostle::unicode
