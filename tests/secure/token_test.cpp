#include "shared/secure/token.h"

#include "shared/crypto/encode.h"
#include "tests/secure/hex.h"
#include "tests/secure/seeded_random.h"

#include <gtest/gtest.h>

namespace jostle::secure {
namespace {

const crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(1));

Token example_token() {
  Token token;
  token.id[0] = std::byte{1};
  token.client = 42;
  token.role = Role::Operator;
  token.is_reusable = true;
  token.server = crypto::key_pair(seeded(2)).shown;
  token.not_after_s = 1'800'000'000;
  token.holder = crypto::key_pair(seeded(3)).shown;
  return token;
}

TEST(Token, RoundTrips) {
  const auto bytes = encode_token(example_token(), issuer);
  const auto token = decode_token(bytes);
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->id, example_token().id);
  EXPECT_EQ(token->client, 42U);
  EXPECT_EQ(token->role, Role::Operator);
  EXPECT_TRUE(token->is_reusable);
  EXPECT_EQ(token->server, example_token().server);
  EXPECT_EQ(token->not_after_s, 1'800'000'000);
  EXPECT_EQ(token->holder, example_token().holder);
  EXPECT_TRUE(is_genuine(bytes, crypto::verify_key(issuer)));
}

TEST(Token, WithAFlippedBitIsNotGenuine) {
  const auto bytes = encode_token(example_token(), issuer);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    EXPECT_FALSE(is_genuine(flipped, crypto::verify_key(issuer))) << "bit " << bit;
  }
}

TEST(Token, OfAnotherIssuerIsNotGenuine) {
  const auto bytes = encode_token(example_token(), crypto::random_secret<32>(seeded(9)));
  EXPECT_FALSE(is_genuine(bytes, crypto::verify_key(issuer)));
}

TEST(Token, RejectsOtherLayouts) {
  auto bytes = encode_token(example_token(), issuer);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(decode_token(std::span(bytes).first(length)).has_value());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode_token(bytes).has_value());
  bytes.pop_back();
  auto other = bytes;
  other[0] = std::byte{2};  // a future version
  EXPECT_FALSE(decode_token(other).has_value());
  other = bytes;
  other[25] = std::byte{3};  // no such role
  EXPECT_FALSE(decode_token(other).has_value());
  other = bytes;
  other[26] = std::byte{2};  // not a boolean
  EXPECT_FALSE(decode_token(other).has_value());
}

TEST(Token, TextRoundTrips) {
  const auto bytes = encode_token(example_token(), issuer);
  const std::string text = token_text(bytes);
  EXPECT_EQ(text.rfind("jostle-token-1.", 0), 0U);
  EXPECT_EQ(parse_token_text(text), bytes);
  EXPECT_EQ(parse_token_text(text.substr(1)), std::nullopt);
  EXPECT_EQ(parse_token_text(text + "A"), std::nullopt);
  EXPECT_EQ(parse_token_text(text + " "), std::nullopt);
  EXPECT_EQ(parse_token_text("jostle-token-1."), std::nullopt);
  EXPECT_EQ(parse_token_text(""), std::nullopt);
}

// Regression test, found by a fuzzer: libsodium decoded "\xFF" as a base64 character, so a token
// had several texts.
TEST(Token, TextRejectsBytesOutsideAscii) {
  const std::string text = token_text(encode_token(example_token(), issuer));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int letter = 0x80; letter <= 0xFF; ++letter) {
      std::string other = text;
      other[at] = static_cast<char>(letter);
      ASSERT_EQ(parse_token_text(other), std::nullopt) << at << ": " << letter;
    }
  }
  EXPECT_EQ(crypto::from_base64("\xFF"
                                "A"),
            std::nullopt);
  EXPECT_TRUE(crypto::from_base64("_A"));
}

}  // namespace
}  // namespace jostle::secure
