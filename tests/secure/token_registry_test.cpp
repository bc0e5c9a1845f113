#include "shared/secure/token_registry.h"

#include "tests/secure/seeded_random.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::secure {
namespace {

struct TokenRegistryTest : testing::Test {
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(1));
  crypto::PublicKey server = crypto::key_pair(seeded(2)).shown;
  crypto::PublicKey client = crypto::key_pair(seeded(3)).shown;
  crypto::PublicKey other = crypto::key_pair(seeded(4)).shown;
  TokenRegistry book{crypto::verify_key(issuer), server};
  Token token{.id = {std::byte{1}}, .server = server, .not_after_s = 1'000};

  Admission shown(const crypto::PublicKey& by, std::int64_t now_s = 900) const {
    return book.check(encode_token(token, issuer), by, now_s);
  }
};

TEST_F(TokenRegistryTest, AcceptsATokenUntilItsLastSecond) {
  EXPECT_EQ(shown(client), Admission::Accepted);
  EXPECT_EQ(shown(client, 1'000), Admission::Accepted);
  EXPECT_EQ(shown(client, 1'001), Admission::TokenExpired);
}

TEST_F(TokenRegistryTest, ReportsWhyATokenIsRejected) {
  EXPECT_EQ(book.check({}, client, 900), Admission::TokenMissing);
  const auto bytes = encode_token(token, issuer);
  EXPECT_EQ(book.check(std::span(bytes).first(20), client, 900), Admission::TokenUnreadable);
  EXPECT_EQ(book.check(encode_token(token, crypto::random_secret<32>(seeded(8))), client, 900),
            Admission::TokenForged);
  token.server = other;
  EXPECT_EQ(shown(client), Admission::TokenForOtherServer);
  token.server = server;
  token.holder = other;
  EXPECT_EQ(shown(client), Admission::TokenOfOtherClient);
  EXPECT_EQ(shown(other), Admission::Accepted);
  book.revoke(token.id);
  EXPECT_EQ(shown(other), Admission::TokenRevoked);
}

TEST_F(TokenRegistryTest, BindsASingleUseTokenToItsFirstClient) {
  EXPECT_TRUE(book.use(token, client, 900));
  EXPECT_EQ(shown(other), Admission::TokenUsed);
  EXPECT_FALSE(book.use(token, other, 900)) << "another client used the token at the same time";
  EXPECT_EQ(shown(client), Admission::Accepted) << "the same client reconnects";
}

// The client was refused after the key exchange, for example because the server was full.
TEST_F(TokenRegistryTest, ATokenThatIsNotSpentIsFreeWhenItsClientHasLeft) {
  EXPECT_TRUE(book.use(token, client, 900));
  EXPECT_FALSE(book.is_spent(token.id));
  book.leave(token.id, 901);
  EXPECT_EQ(shown(other), Admission::Accepted);
  EXPECT_FALSE(book.spend(token.id)) << "no client has a session";
  EXPECT_TRUE(book.use(token, other, 902));
  EXPECT_TRUE(book.spend(token.id));
  EXPECT_TRUE(book.is_spent(token.id));
  book.leave(token.id, 903);
  EXPECT_EQ(shown(client), Admission::TokenUsed);
}

// 100,000 uses are looked at when they expire, and not before.
TEST_F(TokenRegistryTest, ExpiresUsesInOrder) {
  for (int i = 0; i < 1'000; ++i) {
    TokenId id{};
    id[1] = static_cast<std::byte>(i & 0xff);
    id[2] = static_cast<std::byte>(i >> 8);
    book.remember(id, client, 1'000 + i);
  }
  constexpr std::int64_t day = 86'400;
  book.forget_expired(1'000 + day);
  EXPECT_EQ(book.uses().size(), 1'000U);
  book.forget_expired(1'500 + day);
  EXPECT_EQ(book.uses().size(), 500U);
  book.forget_expired(3'000 + day);
  EXPECT_TRUE(book.uses().empty());
}

TEST_F(TokenRegistryTest, AllowsReconnectingForAMinuteAfterExpiry) {
  ASSERT_TRUE(book.use(token, client, 900));
  ASSERT_TRUE(book.spend(token.id));
  EXPECT_EQ(shown(client, 5'000), Admission::Accepted) << "its session is still open";
  book.leave(token.id, 5'000);
  EXPECT_EQ(shown(client, 5'060), Admission::Accepted);
  EXPECT_EQ(shown(client, 5'061), Admission::TokenExpired);
  EXPECT_EQ(shown(other, 5'010), Admission::TokenUsed);
}

TEST_F(TokenRegistryTest, AReusableTokenAdmitsSeveralClients) {
  token.is_reusable = true;
  EXPECT_TRUE(book.use(token, client, 900));
  EXPECT_TRUE(book.use(token, other, 900));
  EXPECT_EQ(shown(other), Admission::Accepted);
  EXPECT_TRUE(book.uses().empty());
}

TEST_F(TokenRegistryTest, TurningTheClockBackRevivesNoUsedToken) {
  ASSERT_TRUE(book.use(token, client, 900));
  ASSERT_TRUE(book.spend(token.id));
  book.leave(token.id, 900);
  book.forget_expired(900 + 3'600 * 3);
  EXPECT_EQ(shown(other, 950), Admission::TokenUsed);
  book.forget_expired(900 + 3'600 * 30);
  EXPECT_TRUE(book.uses().empty());
}

TEST_F(TokenRegistryTest, RespectsUsesOfAnEarlierRun) {
  book.remember(token.id, client, token.not_after_s);
  EXPECT_EQ(shown(other), Admission::TokenUsed);
  EXPECT_EQ(shown(client), Admission::Accepted);
  EXPECT_EQ(shown(client, 1'001), Admission::TokenExpired);
}

}  // namespace
}  // namespace jostle::secure
