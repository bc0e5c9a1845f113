// Tests of the failures that a client reports, and of how the client can continue after them.
#include "client/failure.h"

#include "tests/client/match.h"

#include <gtest/gtest.h>

namespace jostle::client {
namespace {

constexpr std::int64_t second_us = 1'000'000;

TEST(Failure, DistinguishesNoAnswerFromALostConnection) {
  Match client_alone(1, {}, {.connect_timeout_us = 2 * second_us});
  client_alone.link.is_server_up = false;
  client_alone.run(1'000);
  EXPECT_EQ(client_alone.client->status().failure, Failure::None);
  client_alone.run(1'100);
  EXPECT_EQ(client_alone.client->status().failure, Failure::NoAnswer);

  for (const auto& [reason, failure] :
       {std::pair{net::DisconnectReason::ServerShutdown, Failure::ShutDown},
        {net::DisconnectReason::TimedOut, Failure::Lost},
        {net::DisconnectReason::Misbehaved, Failure::Kicked},
        {net::DisconnectReason::Requested, Failure::Replaced},
        {net::DisconnectReason::TokenRevoked, Failure::TokenRevoked},
        {net::DisconnectReason::ServerFull, Failure::Full}}) {
    Match match(1, {}, {.connect_timeout_us = 4 * second_us});
    ASSERT_TRUE(match.run_until_playing());
    match.server->shut_down(reason);
    match.run(5'000);
    EXPECT_EQ(match.client->status().state, ClientState::Failed);
    EXPECT_EQ(match.client->status().failure, failure) << match.client->status().text;
  }
}

TEST(Failure, MatchesTheServersRejectCode) {
  for (const auto& [code, failure] :
       {std::pair{protocol::RejectCode::VersionMismatch, Failure::OtherVersion},
        {protocol::RejectCode::SchemaMismatch, Failure::OtherVersion},
        {protocol::RejectCode::ServerFull, Failure::Full},
        {protocol::RejectCode::NotAllowed, Failure::NotAllowed}}) {
    Match match(1, {.reject = protocol::Reject{code, "no"}});
    match.run(1'000);
    EXPECT_EQ(match.client->status().failure, failure);
  }
}

TEST(Failure, SeparatesRefusedLockstepFromARefusedRole) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.server->reject({protocol::RejectCode::NotAllowed, "the server does not support lockstep"});
  match.run(200);
  EXPECT_EQ(match.client->status().failure, Failure::NoLockstep);
}

TEST(Failure, NamesTheOtherClientThatHasReconnectedAsThePlayer) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.server->shut_down(net::DisconnectReason::Requested);
  match.run(200);
  EXPECT_EQ(match.client->status().text, "another client has reconnected as this player");
}

TEST(Failure, HasItsOwnKindForEveryHandshakeRefusal) {
  EXPECT_EQ(failure_of(secure::Refusal::OtherKey), Failure::OtherKey);
  EXPECT_EQ(failure_of(secure::Refusal::TokenExpired), Failure::TokenExpired);
  EXPECT_EQ(failure_of(secure::Refusal::Banned), Failure::Banned);
  EXPECT_EQ(failure_of(secure::refusal_of(secure::Admission::TokenForOtherServer)),
            Failure::TokenInvalid);
  EXPECT_EQ(failure_of(secure::refusal_of(secure::Admission::TokenMissing)),
            Failure::TokenRequired);
}

TEST(Failure, OccursAfterTheReconnectTimeout) {
  Match match(1, {}, {.connect_timeout_us = 2 * second_us, .reconnect_timeout_us = 20 * second_us});
  ASSERT_TRUE(match.run_until_playing());
  EXPECT_LT(match.client->seconds_silent(), 0.2);
  const std::size_t bodies = match.client->shown_bodies().size();
  match.server->shut_down(net::DisconnectReason::ServerShutdown);
  match.link.is_server_up = false;
  match.run(10'000);
  EXPECT_EQ(match.client->status().state, ClientState::Connecting);
  EXPECT_TRUE(match.client->status().is_reconnecting);
  EXPECT_NEAR(match.client->seconds_silent(), 10, 0.5);
  EXPECT_EQ(match.client->shown_bodies().size(), bodies) << "the last frame stays";

  match.start_server(match.server->world());
  ASSERT_TRUE(match.run_until_playing(6'000)) << match.client->status().text;
  EXPECT_FALSE(match.client->status().is_reconnecting);
  EXPECT_LT(match.client->seconds_silent(), 0.2);

  match.server->shut_down(net::DisconnectReason::ServerShutdown);
  match.link.is_server_up = false;
  match.run(21'000);
  EXPECT_EQ(match.client->status().state, ClientState::Failed);
  EXPECT_EQ(
      match.client->status().text,
      "connection to 127.0.0.1:7777 lost (the server shut down) and not re-established within "
      "20 s");
}

TEST(Failure, CountsSilenceAcrossTheLossOfAConnection) {
  Match match(1, {}, {.connect_timeout_us = 2 * second_us, .reconnect_timeout_us = 20 * second_us});
  ASSERT_TRUE(match.run_until_playing());
  match.link.loss = 1;
  match.run(3'000);
  EXPECT_EQ(match.client->status().state, ClientState::Playing);
  EXPECT_NEAR(match.client->seconds_silent(), 3, 0.2);
  match.link.is_server_up = false;
  match.run(12'000);
  EXPECT_TRUE(match.client->status().is_reconnecting);
  EXPECT_NEAR(match.client->seconds_silent(), 15, 0.3);
}

TEST(Failure, IsClearedByTryAgain) {
  Match match(1, {}, {.connect_timeout_us = 2 * second_us});
  match.link.is_server_up = false;
  match.run(2'100);
  ASSERT_EQ(match.client->status().state, ClientState::Failed);
  match.client->try_again();
  match.run(1'000);
  EXPECT_EQ(match.client->status().state, ClientState::Connecting);
  EXPECT_EQ(match.client->status().text, "connecting to 127.0.0.1:7777");
  match.run(1'100);
  EXPECT_EQ(match.client->status().failure, Failure::NoAnswer);
  EXPECT_EQ(match.client->status().text, "no answer from 127.0.0.1:7777 within 2 s");

  match.link.is_server_up = true;
  match.client->try_again();
  EXPECT_TRUE(match.run_until_playing());
  EXPECT_EQ(match.client->status().failure, Failure::None);
}

TEST(Failure, IsNotAffectedByTryAgainWhilePlaying) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.client->try_again();
  match.run(500);
  EXPECT_EQ(match.client->status().state, ClientState::Playing);
  EXPECT_EQ(match.server->counters().hellos, 1U);
}

}  // namespace
}  // namespace jostle::client
