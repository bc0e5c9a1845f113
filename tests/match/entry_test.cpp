// Places of the server: no address and no connection without a Hello keeps others out.
#include "server/token_gate.h"
#include "shared/net/enet_transport.h"
#include "tests/secure/seeded_random.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::match {
namespace {

using secure::seeded;

constexpr std::uint32_t crowded_ip = 0x0a000909;

std::size_t playing(Match& match, std::size_t from, std::size_t to) {
  std::size_t count = 0;
  for (std::size_t i = from; i < to; ++i) {
    const auto& client = match.seats()[i]->client;
    if (client && client->status().state == client::ClientState::Playing) ++count;
  }
  return count;
}

MatchOptions small_server() {
  MatchOptions options;
  options.is_recorded = options.is_remembered = false;
  options.server.max_players = 8;
  options.server.max_sessions = 16;
  return options;
}

TEST(Entry, OneAddressCannotHoldAllPlaces) {
  Match match(small_server());
  for (int i = 0; i < 20; ++i)
    match.add_client("crowd " + std::to_string(i), protocol::Role::Player, {}, {}, crowded_ip);
  match.run_seconds(5);
  EXPECT_EQ(playing(match, 0, 20), 4U) << "half of the places";
  for (int i = 0; i < 4; ++i)
    match.add_client("guest " + std::to_string(i));
  match.run_seconds(5);
  EXPECT_EQ(playing(match, 20, 24), 4U);
  const auto& refused = match.seats()[19]->client->status();
  EXPECT_EQ(refused.state, client::ClientState::Failed);
  EXPECT_NE(refused.text.find("places that one address may have"), std::string::npos)
      << refused.text;
}

// Connections that never send a Hello, 100 at a time and replaced all the time.
TEST(Entry, ConnectionsWithoutAHelloKeepNobodyOut) {
  Match match(small_server());
  net::Io& io = match.network().node(crowded_ip);
  const auto address = [&] { return match.server_transport().local_address(); };
  std::vector<std::unique_ptr<net::EnetTransport>> silent;
  std::vector<net::PeerEvent> events;
  for (int i = 0; i < 100; ++i) {
    net::EnetOptions options;
    options.bind = net::Address{crowded_ip, 0};
    options.is_insecure_bind_allowed = true;
    options.is_accepting = false;
    options.max_peers = 1;
    silent.push_back(*net::EnetTransport::create(io, options));
    silent.back()->connect(address());
  }
  const auto serve_silent = [&](double seconds) {
    for (double passed = 0; passed < seconds; passed += 0.02) {
      for (auto& transport : silent) {
        events.clear();
        transport->service(events);
        for (const net::PeerEvent& event : events) {
          if (event.kind == net::PeerEvent::Kind::Disconnected) transport->connect(address());
        }
      }
      match.run_seconds(0.02);
    }
  };
  serve_silent(3);
  std::size_t waiting = 0;
  for (const auto& [peer, session] : match.server().sessions())
    if (session.state == server::ClientSessionState::AwaitHello) ++waiting;
  EXPECT_LE(waiting, server::max_waiting_per_address);
  match.add_client("guest");
  serve_silent(5);
  EXPECT_EQ(playing(match, 0, 1), 1U);
}

// A client that ends before it hears of its rejection was logged a second time, as one without a
// Hello.
TEST(Entry, ARejectedClientIsCountedAndLoggedOnce) {
  MatchOptions options = small_server();
  options.server.max_players = 1;
  Match match(options);
  match.add_client("player");
  ASSERT_TRUE(match.run_until_playing(5));
  match.add_client("late");
  ASSERT_TRUE(match.run_until([&] { return match.server().metrics().sessions_rejected == 1; }, 5));
  testing::internal::CaptureStderr();
  match.kill_client(1);
  match.run_seconds(20);
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("client dropped"), std::string::npos);
  EXPECT_EQ(match.server().metrics().sessions_dropped, 0U);
  EXPECT_EQ(match.server().sessions().size(), 1U);
}

TEST(Entry, AnIdlePlayerLeavesItsPlaceWhenAnotherWantsIt) {
  MatchOptions options = small_server();
  options.server.max_players = 2;
  options.server.idle_seconds = 10;
  Match match(options);
  Seat& idle = match.add_client("idle");
  Seat& active = match.add_client("active");
  active.on_update = [&] {
    state::PlayerInput input;
    input.move_x = 1;
    active.client->set_input(input);
  };
  ASSERT_TRUE(match.run_until_playing(5));
  match.run_seconds(5);
  Seat& early = match.add_client("early");
  match.run_seconds(2);
  EXPECT_EQ(early.client->status().state, client::ClientState::Failed) << "no player is idle yet";
  match.run_seconds(10);
  EXPECT_EQ(playing(match, 0, 2), 2U) << "no client wants the place";
  Seat& late = match.add_client("late");
  match.run_seconds(3);
  EXPECT_EQ(late.client->status().state, client::ClientState::Playing);
  EXPECT_EQ(active.client->status().state, client::ClientState::Playing);
  EXPECT_NE(idle.client->status().state, client::ClientState::Playing);
  EXPECT_NE(idle.client->status().text.find("you did nothing for"), std::string::npos)
      << idle.client->status().text;
}

// One address without a limit holds all places.
TEST(Entry, AnIdlePlayerLeavesItsPlaceToAClientOfItsAddress) {
  MatchOptions options = small_server();
  options.server.max_players = 2;
  options.server.idle_seconds = 5;
  options.server.max_per_address = 0;
  Match match(options);
  const auto add = [&](const std::string& name) -> Seat& {
    return match.add_client(name, protocol::Role::Player, {}, {}, crowded_ip);
  };
  add("first");
  add("second");
  ASSERT_TRUE(match.run_until_playing(5));
  Seat& early = add("early");
  match.run_seconds(2);
  EXPECT_EQ(early.client->status().state, client::ClientState::Failed) << "no player is idle yet";
  match.run_seconds(6);
  Seat& late = add("late");
  match.run_seconds(3);
  EXPECT_EQ(late.client->status().state, client::ClientState::Playing);
  EXPECT_EQ(playing(match, 0, 2), 1U);
}

// An address that holds its share does not end the idle players of others.
TEST(Entry, AnAddressBeyondItsShareEndsNoIdlePlayer) {
  MatchOptions options = small_server();
  options.server.max_players = 2;
  options.server.idle_seconds = 5;
  options.server.max_per_address = 1;
  Match match(options);
  match.add_client("idle");
  Seat& crowd = match.add_client("crowd", protocol::Role::Player, {}, {}, crowded_ip);
  crowd.on_update = [&] {
    state::PlayerInput input;
    input.move_x = 1;
    crowd.client->set_input(input);
  };
  ASSERT_TRUE(match.run_until_playing(5));
  match.run_seconds(8);
  Seat& more = match.add_client("more", protocol::Role::Player, {}, {}, crowded_ip);
  match.run_seconds(3);
  EXPECT_EQ(more.client->status().state, client::ClientState::Failed);
  EXPECT_EQ(playing(match, 0, 2), 2U);
}

/// A gate whose answers a test decides.
class FakeGate final : public server::TokenGate {
 public:
  Answer answer = Answer::Waiting;
  std::vector<secure::TokenId> asked;
  Answer ask(const secure::TokenId& id, const crypto::PublicKey&) override {
    if (asked.empty() || asked.back() != id) asked.push_back(id);
    return answer;
  }
};

struct TokenEntry : testing::Test {
  crypto::KeyPair key = crypto::key_pair(seeded(1));
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(2));
  secure::TokenRegistry book{crypto::verify_key(issuer), key.shown};
  FakeGate gate;
  std::vector<net::RefusedEntry> refused;

  MatchOptions options() {
    MatchOptions options = small_server();
    options.server.max_players = 1;
    options.security.mode = secure::AccessMode::Token;
    options.security.key = key;
    options.security.tokens = &book;
    options.security.on_refused = [this](const net::RefusedEntry& entry) {
      refused.push_back(entry);
    };
    return options;
  }
  net::SecurityOptions with_token(std::uint8_t number) {
    secure::Token token;
    token.id[0] = std::byte{number};
    token.server = key.shown;
    token.not_after_s = 1'800'000'100;
    net::SecurityOptions security;
    security.token = encode_token(token, issuer);
    return security;
  }
};

TEST_F(TokenEntry, ARefusalSpendsNoToken) {
  Match match(options());
  match.server().set_token_gate(&gate);
  gate.answer = server::TokenGate::Answer::Stored;
  match.add_client("Ann", protocol::Role::Player, {}, with_token(1));
  ASSERT_TRUE(match.run_until_playing(5));
  Seat& bob = match.add_client("Bob", protocol::Role::Player, {}, with_token(2));
  match.run_seconds(3);
  EXPECT_EQ(bob.client->status().state, client::ClientState::Failed);
  EXPECT_NE(bob.client->status().text.find("full"), std::string::npos) << bob.client->status().text;
  EXPECT_EQ(gate.asked.size(), 1U) << "only Ann's token";
  // Another client can use Bob's token, when there is a place.
  match.kill_client(1);
  match.seats()[0]->client->close();
  match.run_seconds(20);
  match.kill_client(0);
  Seat& cid = match.add_client("Cid", protocol::Role::Player, {}, with_token(2));
  match.run_seconds(3);
  EXPECT_EQ(cid.client->status().state, client::ClientState::Playing) << cid.client->status().text;
  EXPECT_EQ(gate.asked.size(), 2U);
}

TEST_F(TokenEntry, AClientWaitsWhileItsTokenIsStoredAndTheWorldGoesOn) {
  Match match(options());
  match.server().set_token_gate(&gate);
  Seat& ann = match.add_client("Ann", protocol::Role::Player, {}, with_token(1));
  match.run_seconds(6);
  EXPECT_NE(ann.client->status().state, client::ClientState::Playing);
  EXPECT_GT(match.simulation().tick().number, 300U);
  EXPECT_EQ(match.server().session_count(), 1U) << "it is not dropped meanwhile";
  gate.answer = server::TokenGate::Answer::Stored;
  match.run_seconds(2);
  EXPECT_EQ(ann.client->status().state, client::ClientState::Playing);
}

TEST_F(TokenEntry, AClientWhoseTokenCannotBeStoredIsRefused) {
  Match match(options());
  match.server().set_token_gate(&gate);
  gate.answer = server::TokenGate::Answer::Refused;
  Seat& ann = match.add_client("Ann", protocol::Role::Player, {}, with_token(1));
  match.run_seconds(3);
  EXPECT_EQ(ann.client->status().state, client::ClientState::Failed);
  EXPECT_EQ(match.server().metrics().sessions_accepted, 0U);
}

TEST_F(TokenEntry, RefusalsAtTheKeyExchangeAreReportedWithAddressAndToken) {
  Match match(options());
  book.revoke({std::byte{7}});
  Seat& ann = match.add_client("Ann", protocol::Role::Player, {}, with_token(7));
  match.run_seconds(3);
  ASSERT_GE(refused.size(), 1U);
  EXPECT_EQ(refused[0].reason, secure::Admission::TokenRevoked);
  EXPECT_EQ(refused[0].from.ip, net::Ip(ann.ip));
  EXPECT_EQ(refused[0].token, secure::TokenId{std::byte{7}});
}

}  // namespace
}  // namespace jostle::match
