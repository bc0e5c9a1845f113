// Tests of connected clients whose token is revoked.
#include "tests/net/net_fixture.h"
#include "tests/secure/seeded_random.h"

namespace jostle::net {
namespace {

using secure::seeded;

struct RevokedToken : testing::Test {
  crypto::KeyPair key = crypto::key_pair(seeded(1));
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(2));
  secure::TokenRegistry book{crypto::verify_key(issuer), key.shown};
  VirtualMatch match{1};

  RevokedToken() {
    EnetOptions options = server_options();
    options.security.mode = secure::AccessMode::Token;
    options.security.key = key;
    options.security.tokens = &book;
    match.open_server(options);
  }
  secure::Token token(std::uint8_t id) const {
    secure::Token token;
    token.id[0] = std::byte{id};
    token.is_reusable = id % 2 == 0;
    token.server = key.shown;
    token.not_after_s = 1'900'000'000;
    return token;
  }
  void join(const secure::Token& token) {
    EnetOptions options = client_options();
    options.security.token = encode_token(token, issuer);
    match.add_client(options);
  }
};

TEST_F(RevokedToken, EndsTheSessionsOfThisTokenOnly) {
  for (const std::uint8_t id : {1, 2, 2, 3})
    join(token(id));
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 4; }, 3 * second_us));
  match.run(second_us);
  ASSERT_EQ(match.server.disconnected(), 0U);

  book.revoke(token(2).id);
  match.run(second_us / 2);
  EXPECT_EQ(match.server.disconnected(), 2U);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 2U);
  for (const std::size_t i : {1U, 2U}) {
    const auto ends = match.clients[i].of_kind(PeerEvent::Kind::Disconnected);
    ASSERT_EQ(ends.size(), 1U) << i;
    EXPECT_EQ(ends[0].reason, DisconnectReason::TokenRevoked);
  }
  book.revoke(token(1).id);
  match.run(second_us / 2);
  EXPECT_EQ(match.clients[0].disconnected(), 1U);
  EXPECT_EQ(match.clients[3].disconnected(), 0U);
}

TEST_F(RevokedToken, EndsSessionsThatAreNotConnectedYet) {
  join(token(1));
  ASSERT_TRUE(
      match.run_until([&] { return match.server.transport->sealed_sessions() == 1; }, second_us));
  book.revoke(token(1).id);
  match.run(2 * second_us);
  EXPECT_EQ(match.server.transport->sealed_sessions(), 0U);
  EXPECT_EQ(match.server.connected(), match.server.disconnected());
}

}  // namespace
}  // namespace jostle::net
