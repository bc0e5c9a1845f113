// Tests of admission: which clients are admitted, with which roles, and that a session survives a
// change of the client's address.
#include "shared/crypto/encode.h"
#include "tests/net/net_fixture.h"
#include "tests/secure/seeded_random.h"

#include <memory>

namespace jostle::net {
namespace {

using secure::AccessMode;
using secure::Role;

using secure::seeded;

constexpr std::int64_t now_s = 1'800'000'000;  // Unix time at the start of the virtual network

struct Access : testing::Test {
  crypto::KeyPair key = crypto::key_pair(seeded(1));
  crypto::Ed25519Seed issuer = crypto::random_secret<32>(seeded(2));
  secure::TokenRegistry book{crypto::verify_key(issuer), key.shown};
  VirtualMatch match{1};

  EnetOptions server_with(AccessMode mode) {
    EnetOptions options = server_options();
    options.is_insecure_bind_allowed = mode == AccessMode::Open;
    options.security.mode = mode;
    options.security.key = key;
    if (mode == AccessMode::Token) options.security.tokens = &book;
    if (mode == AccessMode::SharedKey) options.security.psk = crypto::random_secret<32>(seeded(3));
    return options;
  }
  secure::Token token(std::uint8_t id) const {
    secure::Token token;
    token.id[0] = std::byte{id};
    token.client = id;
    token.server = key.shown;
    token.not_after_s = now_s + 60;
    return token;
  }
  EnetOptions client_with(const secure::Token& token) const {
    EnetOptions options = client_options();
    options.security.token = encode_token(token, issuer);
    return options;
  }
  /// Connects a client. Returns the text of the refusal, "admitted" if the client is admitted, or
  /// "no answer" after 12 s.
  std::string outcome(const EnetOptions& options) {
    match.add_client(options);
    Party& client = match.clients.back();
    match.run_until([&] { return !client.events.empty(); }, 12 * second_us);
    if (client.events.empty()) return "no answer";
    if (client.events[0].kind == PeerEvent::Kind::Connected) return "admitted";
    return client.events[0].text.empty() ? std::string(describe(client.events[0].reason))
                                         : client.events[0].text;
  }
};

TEST_F(Access, ATokenSetsTheClientsRoleAndId) {
  match.open_server(server_with(AccessMode::Token));
  secure::Token spectator = token(7);
  spectator.role = Role::Spectator;
  EXPECT_EQ(outcome(client_with(spectator)), "admitted");
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 1; }, second_us));
  const auto identity = match.server.transport->identity(match.server.events[0].peer);
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->role, Role::Spectator);
  EXPECT_EQ(identity->client, 7U);
  const auto of_server = match.clients[0].transport->identity(*match.ids[0]);
  ASSERT_TRUE(of_server);
  EXPECT_EQ(of_server->key, key.shown);
  EXPECT_EQ(of_server->role, Role::Spectator);
}

TEST_F(Access, ReportsWhyATokenIsRejected) {
  match.open_server(server_with(AccessMode::Token));
  EXPECT_EQ(outcome(client_options()), "requires a token; give one with --token");
  secure::Token late = token(1);
  late.not_after_s = now_s - 1;
  EXPECT_EQ(outcome(client_with(late)), "refused the connection: the token has expired");
  EnetOptions forged = client_options();
  forged.security.token = encode_token(token(2), crypto::random_secret<32>(seeded(9)));
  EXPECT_EQ(outcome(forged),
            "refused the connection: the token was not signed by this server's issuer");
  EXPECT_EQ(outcome(client_with(token(3))), "admitted");
  EXPECT_EQ(
      outcome(client_with(token(3))),
      "refused the connection: the token is single-use and was already used; without --key, each "
      "start of the program counts as another client");
  book.revoke(token(4).id);
  EXPECT_EQ(outcome(client_with(token(4))), "refused the connection: the token was revoked");
  EXPECT_EQ(match.server.connected(), 1U);
  EXPECT_EQ(
      match.server.transport->admissions()[static_cast<std::size_t>(secure::Admission::TokenUsed)],
      1U);
}

TEST_F(Access, ChangingTheWallClockEndsNoSessionAndRevivesNoToken) {
  match.open_server(server_with(AccessMode::Token));
  EXPECT_EQ(outcome(client_with(token(3))), "admitted");
  for (const std::int64_t step_s : {3'600, -7'200, 3'600}) {
    match.network.node(server_ip).set_unix_clock(step_s);
    match.run(10 * second_us);
  }
  EXPECT_EQ(match.server.disconnected() + match.clients[0].disconnected(), 0U);
  EXPECT_EQ(
      outcome(client_with(token(3))),
      "refused the connection: the token is single-use and was already used; without --key, each "
      "start of the program counts as another client");
}

// The client's connection broke, and the client reconnects before the server notices that the old
// session is dead.
TEST_F(Access, ReconnectingWithTheSameTokenReplacesTheOldSession) {
  match.open_server(server_with(AccessMode::Token));
  EXPECT_EQ(outcome(client_with(token(3))), "admitted");
  match.run(second_us);
  match.network.set_default_faults({.loss = 1});
  match.clients[0].transport->drop(*match.ids[0], DisconnectReason::None);
  match.network.set_default_faults({});
  const auto again = match.clients[0].transport->connect(server_address);
  ASSERT_TRUE(again);
  ASSERT_TRUE(match.run_until([&] { return match.server.connected() == 2; }, 3 * second_us));
  EXPECT_EQ(match.server.disconnected(), 1U) << "the earlier session has ended";
  EXPECT_EQ(match.server.transport->sealed_sessions(), 1U);
  match.run(70 * second_us);
  EXPECT_EQ(match.clients[0].disconnected(), 0U) << "an expired token ends no session";
}

TEST_F(Access, RejectsClientsWithoutTheSharedKey) {
  const EnetOptions server = server_with(AccessMode::SharedKey);
  match.open_server(server);
  EXPECT_EQ(outcome(client_options()), "requires a shared key; give its file with --psk");
  EnetOptions wrong = client_options();
  wrong.security.psk = crypto::random_secret<32>(seeded(8));
  EXPECT_EQ(outcome(wrong),
            "the server answers, but does not accept the handshake: check that --psk is the same "
            "key on both sides");
  EnetOptions right = client_options();
  right.security.psk = server.security.psk;
  EXPECT_EQ(outcome(right), "admitted");
}

// A client that repeats its AUTH, made with a wrong key, must not use up the handshake budget of
// other clients at the same address.
TEST_F(Access, ClientsWithAWrongKeyDoNotExhaustTheirAddressesHandshakeBudget) {
  const auto psk = crypto::random_secret<32>(seeded(8)), old = crypto::random_secret<32>(seeded(9));
  EnetOptions options = server_with(AccessMode::SharedKey);
  options.security.psk = psk;
  options.address_limits = {.exchanges_per_second = 0.5, .exchange_burst = 6};
  match.open_server(options);
  EnetOptions with_old = client_options(), with_new = client_options();
  with_old.security.psk = old;
  with_new.security.psk = psk;
  Io& house = match.network.node(client_ip(40));
  std::vector<Party> wrong;
  for (int i = 0; i < 3; ++i) {
    wrong.push_back(open_party(house, with_old));
    (void)wrong.back().transport->connect(server_address);
  }
  const auto run = [&](std::int64_t us) {
    for (const std::int64_t end = match.network.now_us() + us; match.network.now_us() < end;) {
      match.tick();
      for (Party& party : wrong)
        party.transport->service(party.events);
    }
  };
  run(4 * second_us);
  wrong.push_back(open_party(house, with_new));
  (void)wrong.back().transport->connect(server_address);
  run(second_us);
  EXPECT_EQ(wrong.back().connected(), 1U);
  EXPECT_EQ(match.server.transport->counters().handshakes_failed, 3U);
}

TEST_F(Access, AClientRejectsAServerWithAnUnexpectedKey) {
  match.open_server(server_with(AccessMode::Open));
  EnetOptions knowing = client_options();
  knowing.security.server = key.shown;
  EXPECT_EQ(outcome(knowing), "admitted");
  knowing.security.server = crypto::key_pair(seeded(5)).shown;
  const std::string words = outcome(knowing);
  EXPECT_NE(words.find("another key"), std::string::npos) << words;
  EXPECT_NE(words.find(crypto::fingerprint(key.shown)), std::string::npos) << words;
}

TEST_F(Access, RefusesOpenModeBeyondLoopbackAndIncompleteCredentials) {
  const auto create = [&](EnetOptions options) {
    return EnetTransport::create(match.network.node(server_ip), options);
  };
  EnetOptions open = server_with(AccessMode::Open);
  open.is_insecure_bind_allowed = false;
  const auto refused = create(open);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, TransportError::Kind::InsecureBind);
  EXPECT_TRUE(create(server_with(AccessMode::Token)));
  EnetOptions incomplete = server_with(AccessMode::Token);
  incomplete.security.tokens = nullptr;
  EXPECT_EQ(create(incomplete).error().kind, TransportError::Kind::BadOptions);
  incomplete = server_with(AccessMode::SharedKey);
  incomplete.security.psk.reset();
  EXPECT_EQ(create(incomplete).error().kind, TransportError::Kind::BadOptions);
}

/// A NAT router between a client and the server. It changes the client's public port or address on
/// demand.
struct Nat {
  static constexpr std::uint32_t inside_ip = 0x0A000A01;

  explicit Nat(VirtualNetwork& on) : network(on) {
    inside = *network.node(inside_ip).open_datagram_socket({.ip = inside_ip, .port = 7'777});
    rebind(0x0A000B01);
  }
  void rebind(std::uint32_t outside_ip) {
    outside.reset();
    outside = *network.node(outside_ip).open_datagram_socket({.ip = outside_ip, .port = 0});
  }
  void forward() {
    std::array<std::byte, 2'000> buffer;
    while (const auto got = inside->receive(buffer)) {
      client = got->from;
      outside->send(server_address, std::span(buffer).first(got->bytes));
    }
    while (const auto got = outside->receive(buffer))
      inside->send(client, std::span(buffer).first(got->bytes));
  }
  VirtualNetwork& network;
  std::unique_ptr<DatagramSocket> inside, outside;
  Address client;
};

TEST_F(Access, ASessionSurvivesNatRebinding) {
  match.open_server(server_with(AccessMode::Open));
  Nat nat(match.network);
  match.clients.push_back(open_party(match.network.node(client_ip(0)), client_options()));
  Party& client = match.clients[0];
  const auto id = client.transport->connect({.ip = Nat::inside_ip, .port = 7'777});
  ASSERT_TRUE(id);
  const auto tick = [&] {
    nat.forward();
    match.tick();
    nat.forward();
  };
  for (int i = 0; i < 60; ++i)
    tick();
  ASSERT_EQ(client.connected(), 1U);
  const PeerId peer = match.server.events[0].peer;

  int up = 0, down = 0;
  for (std::uint32_t move = 0; move < 10; ++move) {
    // Every second move changes the public address. The other moves change only the port.
    nat.rebind(0x0A000B01 + move / 2);
    for (int i = 0; i < 30; ++i) {
      EXPECT_TRUE(client.transport->send(*id, Channel::Control, message(up++, 300)));
      EXPECT_TRUE(match.server.transport->send(peer, Channel::Control, message(down++, 300)));
      tick();
    }
  }
  for (int i = 0; i < 120; ++i)
    tick();
  EXPECT_EQ(match.server.received().size(), static_cast<std::size_t>(up));
  EXPECT_EQ(client.received().size(), static_cast<std::size_t>(down));
  EXPECT_EQ(match.server.connected(), 1U);
  EXPECT_EQ(match.server.disconnected() + client.disconnected(), 0U);
  EXPECT_EQ(match.server.transport->stats(peer)->address.ip, Ip(0x0A000B05));
}

}  // namespace
}  // namespace jostle::net
