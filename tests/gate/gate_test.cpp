#include "protocol/control_codec.h"
#include "tests/gate/gate_fixture.h"
#include "tests/gate/token_desk.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace jostle::gate {
namespace {

using net::DisconnectReason;
using secure::Refusal;

/// Connects and returns the event that ends the connection.
net::PeerEvent end_of(House& house, web_client::WebSocketTransport& transport) {
  std::vector<net::PeerEvent> events;
  transport.connect(house.gate_address());
  const auto has_ended = [&] {
    return !events.empty() && events.back().kind == net::PeerEvent::Kind::Disconnected;
  };
  EXPECT_TRUE(house.run_until(has_ended, [&] { transport.service(events); }));
  return events.empty() ? net::PeerEvent{} : events.back();
}

TEST(Gate, ViewersDecodeTheSameStatesAsClientsOfEnet) {
  House house;
  const auto web = Guest::viewer(house), enet = Guest::enet(house);
  const auto update = [&] {
    web->client->update();
    enet->client->update();
  };
  ASSERT_TRUE(house.run_until([&] { return web->is_playing() && enet->is_playing(); }, update));
  house.run_ticks(120, update);
  std::size_t common = 0;
  for (const auto& [tick, hash] : web->hashes) {
    ASSERT_EQ(hash, house.hashes().at(tick)) << "tick " << tick;
    if (const auto there = enet->hashes.find(tick); there != enet->hashes.end()) {
      EXPECT_EQ(hash, there->second);
      ++common;
    }
  }
  EXPECT_GT(common, 60U);
  EXPECT_EQ(web->client->world().bodies.size(), enet->client->world().bodies.size());
}

/// Bytes of a message over ENet, alone in its datagram, and of a WebSocket message over TCP with
/// time stamps, both with all headers.
std::size_t bytes_over_enet(std::size_t message) {
  return message + net::unreliable_datagram_bytes;
}
std::size_t bytes_over_tcp(std::size_t message) {
  constexpr std::size_t tcp_ip_bytes = 52, segment_bytes = 1'448;
  const std::size_t frame = message + (message < 126 ? 2 : message < 65'536 ? 4 : 10);
  return frame + tcp_ip_bytes * ((frame + segment_bytes - 1) / segment_bytes);
}

TEST(Gate, TakesAtMostFivePercentMoreBytesPerFrameThanEnet) {
  // Many bodies, so that a snapshot has several parts.
  std::string scene = R"({ "name": "many", "spawns": [{ "position": [0, 1, 40] }], "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } })";
  for (int i = 0; i < 900; ++i)
    scene += R"(, { "shape": { "sphere": { "radius": 0.2 } }, "restitution": 0.9, "position": [)" +
             std::to_string(i % 30) + ", " + std::to_string(2 + i % 7) + ", " +
             std::to_string(i / 30) + "] }";
  scene += "] }";
  for (const std::string_view text : {std::string_view(gate_scene), std::string_view(scene)}) {
    HouseOptions options;
    options.scene = text;
    House house(options);
    const auto web = Guest::viewer(house);
    const auto update = [&] { web->client->update(); };
    ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
    std::size_t enet = 0, tcp = 0, frames = 0;
    static_cast<web_client::WebSocketTransport&>(*web->transport)
        .set_tap([&](std::span<const std::byte> bytes) {
          const auto messages = gate_link::decode_gate_message(bytes);
          if (!messages || messages->front().channel != net::Channel::State) return;
          ++frames;
          tcp += bytes_over_tcp(bytes.size());
          for (const gate_link::ViewerMessage& message : *messages)
            enet += bytes_over_enet(message.bytes.size());
        });
    house.run_ticks(60, update);
    ASSERT_GT(frames, 20U);
    std::printf("bytes per frame: %zu over ENet, %zu over the WebSocket\n", enet / frames,
                tcp / frames);
    EXPECT_LE(static_cast<double>(tcp), 1.05 * static_cast<double>(enet));
  }
}

TEST(Gate, PlayersMoveThroughTheGate) {
  House house;
  const auto web = Guest::viewer(house, protocol::Role::Player);
  const auto update = [&] { web->client->update(); };
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
  const state::PlayerId player = web->client->status().player;
  ASSERT_FALSE(player.is_null());
  state::PlayerInput input;
  input.move_x = 1;
  web->client->set_input(input);
  house.run_ticks(60, update);
  EXPECT_EQ(house.simulation().players().all().size(), 1U);
  // A page that is left ends its player at once.
  web->client->close();
  EXPECT_TRUE(house.run_until([&] { return house.simulation().players().all().empty(); }, update));
  EXPECT_GT(house.server().metrics().inputs.accepted, 20U);
}

TEST(Gate, KeepsThePlayerOfABrokenConnection) {
  House house;
  const auto web = Guest::viewer(house, protocol::Role::Player);
  const auto update = [&] { web->client->update(); };
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
  const state::PlayerId player = web->client->status().player;
  static_cast<web_client::WebSocketTransport&>(*web->transport).cut();
  ASSERT_TRUE(house.run_until([&] { return !web->is_playing(); }, update));
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
  EXPECT_EQ(web->client->status().player, player);
}

TEST(Gate, GivesTheRoleOfTheToken) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  House house(options);
  const auto web =
      Guest::viewer(house, protocol::Role::Player, with_token(desk.token(secure::Role::Player)));
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, [&] { web->client->update(); }));
  const auto identity = web->client->server();
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->role, secure::Role::Player);
  EXPECT_EQ(identity->client, 41U);
  EXPECT_EQ(identity->key, desk.server.shown);
}

TEST(Gate, RefusesASpectatorTokenForAPlayer) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  House house(options);
  const auto web =
      Guest::viewer(house, protocol::Role::Player, with_token(desk.token(secure::Role::Spectator)));
  const auto has_failed = [&] {
    return web->client->status().state == client::ClientState::Failed;
  };
  ASSERT_TRUE(house.run_until(has_failed, [&] { web->client->update(); }));
  EXPECT_NE(web->client->status().text.find("spectators"), std::string::npos)
      << web->client->status().text;
}

TEST(Gate, RefusesTokensAsTheServerDoes) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  House house(options);
  std::string forged = desk.token(secure::Role::Operator);
  forged[forged.size() - 5] = forged[forged.size() - 5] == 'A' ? 'B' : 'A';
  const std::string expired = desk.token(secure::Role::Player, false, 1);
  const struct {
    std::string token;
    Refusal refusal;
  } cases[] = {{"", Refusal::TokenRequired},
               {"jostle-token-1.nonsense", Refusal::TokenInvalid},
               {forged, Refusal::TokenInvalid},
               {expired, Refusal::TokenExpired}};
  for (const auto& each : cases) {
    const auto transport = house.new_viewer(with_token(each.token));
    const net::PeerEvent end = end_of(house, *transport);
    EXPECT_EQ(end.reason, DisconnectReason::Refused);
    EXPECT_EQ(end.refusal, each.refusal) << each.token;
    EXPECT_NE(end.text, "");
  }
  EXPECT_EQ(house.server().session_count(), 0U);
  EXPECT_EQ(house.viewers().viewers_refused(), 4U);
}

TEST(Gate, BindsASingleUseTokenToTheViewersSecret) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  House house(options);
  const std::string token = desk.token(secure::Role::Spectator);
  const auto first = Guest::viewer(house, protocol::Role::Spectator, with_token(token, 1));
  ASSERT_TRUE(
      house.run_until([&] { return first->is_playing(); }, [&] { first->client->update(); }));
  const auto thief = house.new_viewer(with_token(token, 2));
  EXPECT_EQ(end_of(house, *thief).refusal, Refusal::TokenUsed);
  // The same viewer may come back; its earlier session ends.
  const auto again = Guest::viewer(house, protocol::Role::Spectator, with_token(token, 1));
  ASSERT_TRUE(
      house.run_until([&] { return again->is_playing(); }, [&] { again->client->update(); }));
  EXPECT_EQ(house.server().session_count(), 1U);
}

TEST(Gate, EndsTheSessionOfARevokedToken) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  House house(options);
  const std::string text = desk.token(secure::Role::Spectator, true);
  const auto web = Guest::viewer(house, protocol::Role::Spectator, with_token(text));
  const auto update = [&] { web->client->update(); };
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
  desk.registry.revoke(secure::decode_token(*secure::parse_token_text(text))->id);
  ASSERT_TRUE(house.run_until([&] { return house.server().session_count() == 0; }, update));
  ASSERT_TRUE(house.run_until(
      [&] { return web->client->status().state == client::ClientState::Failed; }, update));
  EXPECT_NE(web->client->status().text.find("revoked"), std::string::npos);
}

TEST(Gate, AdmitsViewersWithoutATokenAsSpectatorsOfAPublicServer) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  options.is_public = true;
  House house(options);
  const auto web = Guest::viewer(house);
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, [&] { web->client->update(); }));
  EXPECT_EQ(web->client->server()->role, secure::Role::Spectator);
  const auto player = Guest::viewer(house, protocol::Role::Player);
  ASSERT_TRUE(
      house.run_until([&] { return player->client->status().state == client::ClientState::Failed; },
                      [&] { player->client->update(); }));
}

TEST(Gate, RefusesForeignOriginsAndHosts) {
  House house;
  const struct {
    const char *origin, *host, *target;
    int status;
  } cases[] = {{"https://evil.example", "", "/ws", 403},
               {"null", "", "/ws", 403},
               {"", "evil.example", "/ws", 421},
               {"http://evil.example", "evil.example", "/ws", 421},
               {"", "", "/room/none/ws", 404},
               {"", "", "/room/main", 404},
               {"", "", "/other", 404}};
  for (const auto& each : cases) {
    web_client::WebSocketOptions options;
    options.origin = each.origin;
    options.host = each.host;
    options.target = each.target;
    const auto transport = house.new_viewer(options);
    end_of(house, *transport);
    EXPECT_EQ(transport->http_status(), each.status) << each.origin << " " << each.host;
  }
  // The own origin is accepted, at both paths of the only room.
  for (const char* const target : {"/ws", "/room/main/ws"}) {
    web_client::WebSocketOptions options;
    options.origin = "http://" + net::to_string(house.gate_address());
    options.target = target;
    const auto web = Guest::viewer(house, protocol::Role::Spectator, options);
    EXPECT_TRUE(house.run_until([&] { return web->is_playing(); }, [&] { web->client->update(); }));
  }
}

/// Returns the first line of the gate's answer to a request for a WebSocket with these headers.
std::string answer_to(House& house, const std::string& headers) {
  boost::asio::io_context context;
  boost::asio::ip::tcp::socket socket(context);
  const net::Address gate = house.gate_address();
  socket.connect({boost::asio::ip::make_address(net::to_string(gate.ip)), gate.port});
  boost::asio::write(socket,
                     boost::asio::buffer("GET /ws HTTP/1.1\r\n" + headers +
                                         "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                         "Sec-WebSocket-Version: 13\r\n"
                                         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"));
  EXPECT_TRUE(house.run_until([&] { return socket.available() > 0; }, [] {}));
  std::string answer(socket.available(), '\0');
  boost::asio::read(socket, boost::asio::buffer(answer));
  return answer.substr(0, answer.find('\r'));
}

TEST(Gate, RefusesRepeatedHostsAndRepeatedOrEmptyOrigins) {
  House house;
  const std::string address = net::to_string(house.gate_address());
  const std::string host = "Host: " + address + "\r\n",
                    origin = "Origin: http://" + address + "\r\n";
  const auto status_of = [&](const std::string& headers) {
    return answer_to(house, headers).substr(9, 3);
  };
  EXPECT_EQ(status_of(host), "101");
  EXPECT_EQ(status_of(host + origin), "101");
  EXPECT_EQ(status_of(host + "Host: evil.example\r\n"), "400");
  EXPECT_EQ(status_of("Host: evil.example\r\n" + host), "400");
  EXPECT_EQ(status_of(host + host), "400");
  EXPECT_EQ(status_of(""), "421");
  EXPECT_EQ(status_of(host + "Origin:\r\n"), "403");
  EXPECT_EQ(status_of(host + origin + "Origin: https://evil.example\r\n"), "403");
  EXPECT_EQ(status_of(host + "Origin: https://evil.example\r\n" + origin), "403");
  EXPECT_EQ(status_of(host + origin + origin), "403");
}

TEST(Gate, DropsViewersThatBreakTheProtocol) {
  House house;
  const std::vector<std::byte> entry = gate_link::encode_entry_request({});
  const std::vector<std::byte> too_long(gate_link::max_viewer_message_bytes + 1, std::byte{0});
  const std::vector<std::byte> early{std::byte{0}, std::byte{1}};
  const std::vector<std::byte> text(10, std::byte{'a'});
  const std::vector<std::byte> bad_channel{std::byte{9}, std::byte{1}};
  const struct {
    std::vector<std::vector<std::byte>> messages;
    bool is_text;
    std::uint16_t code;
  } cases[] = {
      {{early}, false, 4005},               // no entry
      {{entry, entry}, false, 4005},        // an entry twice
      {{entry, bad_channel}, false, 4005},  // an unknown channel
      {{too_long}, false, 1009},            // "message too big" of RFC 6455
      {{text}, true, 4005},                 // text
      {{}, false, 4007},                    // nothing at all
  };
  for (const auto& each : cases) {
    web_client::WebSocketOptions options;
    options.is_raw = true;
    const auto transport = house.new_viewer(options);
    transport->connect(house.gate_address());
    for (const auto& message : each.messages)
      transport->send_raw(message, each.is_text);
    std::vector<net::PeerEvent> events;
    EXPECT_TRUE(
        house.run_until([&] { return !events.empty(); }, [&] { transport->service(events); }));
    EXPECT_EQ(transport->close_code(), each.code);
  }
  EXPECT_EQ(house.server().session_count(), 0U);
}

TEST(Gate, DropsAViewerThatSendsTooManyMessages) {
  House house;
  const auto web = Guest::viewer(house);
  const auto update = [&] { web->client->update(); };
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
  const std::vector<std::byte> message(10, std::byte{3});
  for (int i = 0; i < 3'000; ++i)
    static_cast<web_client::WebSocketTransport&>(*web->transport).send_raw(message);
  EXPECT_TRUE(house.run_until(
      [&] { return web->client->status().state == client::ClientState::Failed; }, update));
}

TEST(Gate, ReportsARestartOfTheServerToItsViewers) {
  House house;
  const auto web = Guest::viewer(house);
  const auto update = [&] { web->client->update(); };
  ASSERT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
  house.close_server();
  ASSERT_TRUE(house.run_until([&] { return web->client->status().is_reconnecting; }, update));
  EXPECT_EQ(house.new_viewer()->http_status(), 0);
  const auto late = house.new_viewer();
  end_of(house, *late);
  EXPECT_EQ(late->close_code(), gate_link::server_unreachable_code);
  house.open_server();
  EXPECT_TRUE(house.run_until([&] { return web->is_playing(); }, update));
}

TEST(Gate, TellsViewersThatTheServerShutsDown) {
  House house;
  const auto web = house.new_viewer();
  std::vector<net::PeerEvent> events;
  web->connect(house.gate_address());
  const auto service = [&] { web->service(events); };
  ASSERT_TRUE(house.run_until([&] { return !events.empty(); }, service));
  house.server().disconnect_all();
  ASSERT_TRUE(house.run_until([&] { return events.size() > 1; }, service));
  EXPECT_EQ(events.back().reason, DisconnectReason::ServerShutdown);
  EXPECT_TRUE(house.run_until([&] { return house.server().session_count() == 0; }, service));
}

TEST(Gate, CountsViewersByTheirOwnAddress) {
  HouseOptions options;
  options.trusted_proxies = {net::loopback_ip};
  options.max_viewers_per_address = 1;
  House house(options);
  const auto join = [&](const char* address) {
    web_client::WebSocketOptions viewer;
    viewer.forwarded_for = address;
    auto transport = house.new_viewer(viewer);
    std::vector<net::PeerEvent> events;
    transport->connect(house.gate_address());
    EXPECT_TRUE(
        house.run_until([&] { return !events.empty(); }, [&] { transport->service(events); }));
    return std::pair(std::move(transport), events.front());
  };
  const auto first = join("203.0.113.1"), other = join("203.0.113.2");
  EXPECT_EQ(first.second.kind, net::PeerEvent::Kind::Connected);
  EXPECT_EQ(other.second.kind, net::PeerEvent::Kind::Connected);
  const auto second = join("203.0.113.1");
  EXPECT_EQ(second.second.refusal, Refusal::Full);
  // A ban hits the viewer's address, not the gate.
  for (const auto& [peer, session] : house.server().sessions()) {
    if (house.viewers().stats(peer)->address.ip == *net::parse_ip("203.0.113.1")) {
      house.viewers().drop(peer, DisconnectReason::Misbehaved);
      break;
    }
  }
  EXPECT_EQ(join("203.0.113.1").second.refusal, Refusal::Banned);
  EXPECT_EQ(join("203.0.113.3").second.kind, net::PeerEvent::Kind::Connected);
}

}  // namespace
}  // namespace jostle::gate
