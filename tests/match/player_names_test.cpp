// The server's rule for the names of players.
#include "protocol/control_codec.h"
#include "tests/match/raw_peer.h"
#include "tools/match/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::match {
namespace {

std::vector<std::string> names_of_players(const client::Client& client) {
  std::vector<std::string> names;
  for (const state::BodyInfo& body : client.world().bodies)
    if (!body.owner.is_null()) names.push_back(body.name);
  return names;
}

/// Returns the server's reason for rejecting a Hello with this name; empty if it is accepted.
std::string reason_for(const std::string& name) {
  Match match({});
  RawPeer peer(match, first_client_ip + 5);
  peer.run(1.0);
  protocol::Hello hello = hello_of_this_build();
  hello.client_name = name;
  peer.send(net::Channel::Control, protocol::encode_control(hello));
  peer.run(1.0);
  for (const net::PeerEvent& event : peer.events()) {
    if (event.kind != net::PeerEvent::Kind::Received || event.channel != net::Channel::Control)
      continue;
    const auto message = protocol::decode_control(event.bytes, protocol::max_control_message_bytes);
    if (const auto* reject = message ? std::get_if<protocol::Reject>(&*message) : nullptr)
      return reject->text;
  }
  EXPECT_EQ(match.server().metrics().sessions_accepted, 1U) << name;
  return {};
}

TEST(PlayerNames, AreNumberedIfTheyAreTaken) {
  Match match({});
  for (int i = 0; i < 3; ++i)
    match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  for (const auto& seat : match.seats()) {
    EXPECT_THAT(names_of_players(*seat->client),
                testing::UnorderedElementsAre("Ann", "Ann (2)", "Ann (3)", "Bob"));
  }
}

TEST(PlayerNames, AreFreeAgainWhenAPlayerHasLeft) {
  Match match({});
  Seat& first = match.add_client("Ann");
  Seat& second = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  first.client->close();
  match.run_seconds(2.0);
  Seat& third = match.add_client("Ann");
  ASSERT_TRUE(match.run_until(
      [&] { return third.client->status().state == client::ClientState::Playing; }, 5.0));
  match.run_seconds(1.0);
  EXPECT_THAT(names_of_players(*second.client), testing::UnorderedElementsAre("Ann", "Ann (2)"));
}

TEST(PlayerNames, StayTheSameWhenAPlayerReconnects) {
  Match match({});
  match.add_client("Ann");
  Seat& second = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  match.network().set_cut(server_ip, second.ip, true);
  match.network().set_cut(second.ip, server_ip, true);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 20.0));
  match.network().set_cut(server_ip, second.ip, false);
  match.network().set_cut(second.ip, server_ip, false);
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 2; }, 20.0));
  ASSERT_TRUE(match.run_until_playing(20.0));
  match.run_seconds(1.0);
  EXPECT_THAT(names_of_players(*second.client), testing::UnorderedElementsAre("Ann", "Ann (2)"));
  std::vector<std::string> names;
  for (const auto& [peer, session] : match.server().sessions())
    names.push_back(session.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("Ann", "Ann (2)"));
}

TEST(PlayerNames, AreComposedAndComparedWithoutDifferencesInUnicodeForm) {
  Match match({});
  Seat& first = match.add_client("Zoe\u0308");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.add_client("ZO\u00cb");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(1.0);
  EXPECT_THAT(names_of_players(*first.client),
              testing::UnorderedElementsAre("Zo\u00eb", "ZO\u00cb (2)"));
}

TEST(PlayerNames, MustBeVisible) {
  EXPECT_EQ(reason_for("Ann"), "");
  EXPECT_EQ(reason_for("\u0622\u0646 \u5b89 \U0001F600"), "");
  EXPECT_EQ(reason_for(""), "a name must have 1 to 64 bytes, not 0");
  EXPECT_EQ(reason_for("   "), "a name must not begin or end with a space");
  EXPECT_NE(reason_for("\u200b"), "");
  EXPECT_NE(reason_for("\u200d"), "");
  EXPECT_NE(reason_for("A\u202enn"), "");
}

}  // namespace
}  // namespace jostle::match
