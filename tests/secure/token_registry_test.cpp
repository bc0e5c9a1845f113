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

TEST_F(TokenRegistryTest, StoresTheFirstUseBeforeAdmission) {
  std::vector<TokenId> kept;
  bool can_keep = false;
  book.set_keeper([&](const TokenId& id, const TokenRegistry::Use& use) {
    EXPECT_EQ(use.client, client);
    EXPECT_EQ(use.not_after_s, token.not_after_s);
    kept.push_back(id);
    return can_keep;
  });
  EXPECT_FALSE(book.use(token, client, 900));
  EXPECT_TRUE(book.uses().empty());
  can_keep = true;
  EXPECT_TRUE(book.use(token, client, 900));
  EXPECT_TRUE(book.use(token, client, 901)) << "the client reconnects";
  EXPECT_EQ(kept, (std::vector{token.id, token.id})) << "one failed and one successful attempt";
  token.is_reusable = true;
  EXPECT_TRUE(book.use(token, client, 900));
  EXPECT_EQ(kept.size(), 2U);
}

TEST_F(TokenRegistryTest, AllowsReconnectingForAMinuteAfterExpiry) {
  ASSERT_TRUE(book.use(token, client, 900));
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
