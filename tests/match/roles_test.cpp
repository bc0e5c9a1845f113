// A client's permissions follow from its token, not from the role that the client claims.
#include "protocol/control_codec.h"
#include "tests/secure/seeded_random.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

namespace jostle::match {
namespace {

using secure::seeded;

struct Roles : testing::Test {
  crypto::KeyPair key = crypto::key_pair(seeded(1));
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(2));
  secure::TokenRegistry book{crypto::verify_key(issuer), key.shown};
  std::uint8_t tokens = 0;

  MatchOptions options() {
    MatchOptions options;
    options.is_recorded = false;
    options.security.mode = secure::AccessMode::Token;
    options.security.key = key;
    options.security.tokens = &book;
    return options;
  }
  net::SecurityOptions with(secure::Role role) {
    secure::Token token;
    token.id[0] = std::byte{++tokens};
    token.role = role;
    token.server = key.shown;
    token.not_after_s = 1'800'000'100;
    net::SecurityOptions security;
    security.token = encode_token(token, issuer);
    return security;
  }
};

TEST_F(Roles, ASpectatorTokenDoesNotAllowPlaying) {
  Match match(options());
  Seat& watching =
      match.add_client("Ann", protocol::Role::Spectator, {}, with(secure::Role::Spectator));
  Seat& claiming =
      match.add_client("Bob", protocol::Role::Player, {}, with(secure::Role::Spectator));
  match.run_seconds(3);
  EXPECT_EQ(watching.client->status().state, client::ClientState::Playing);
  EXPECT_EQ(claiming.client->status().state, client::ClientState::Failed);
  EXPECT_NE(claiming.client->status().text.find("spectator"), std::string::npos)
      << claiming.client->status().text;
  EXPECT_EQ(match.server().metrics().sessions_accepted, 1U);
}

TEST_F(Roles, APlayerTokenAllowsPlayingAndSpectating) {
  Match match(options());
  Seat& playing = match.add_client("Ann", protocol::Role::Player, {}, with(secure::Role::Player));
  Seat& watching =
      match.add_client("Bob", protocol::Role::Spectator, {}, with(secure::Role::Player));
  match.run_seconds(3);
  EXPECT_EQ(playing.client->status().state, client::ClientState::Playing);
  EXPECT_EQ(watching.client->status().state, client::ClientState::Playing);
}

TEST_F(Roles, OnlyOperatorsMayPauseTheWorld) {
  Match match(options());
  Seat& player = match.add_client("Ann", protocol::Role::Player, {}, with(secure::Role::Player));
  Seat& operating =
      match.add_client("Bob", protocol::Role::Player, {}, with(secure::Role::Operator));
  ASSERT_TRUE(match.run_until_playing(5));
  player.client->request({state::ControlKind::Pause, 0});
  match.run_seconds(0.5);
  EXPECT_FALSE(match.simulation().is_paused());
  EXPECT_EQ(match.server().metrics().controls_denied, 1U);
  operating.client->request({state::ControlKind::Pause, 0});
  match.run_seconds(0.5);
  EXPECT_TRUE(match.simulation().is_paused());
}

}  // namespace
}  // namespace jostle::match
