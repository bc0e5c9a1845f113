#include "tests/gate/gate_fixture.h"
#include "tests/gate/token_desk.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>

namespace jostle::gate {
namespace {

using net::DisconnectReason;

/// Viewers of a house whose server serves only two of them itself.
struct Crowd {
  explicit Crowd(HouseOptions options = {}) : house(with_two_direct(std::move(options))) {}

  static HouseOptions with_two_direct(HouseOptions options) {
    options.direct_viewers = 2;
    return options;
  }
  void update() {
    for (const auto& guest : guests)
      guest->client->update();
  }
  bool are_playing() const {
    return std::all_of(guests.begin(), guests.end(),
                       [](const auto& guest) { return guest->is_playing(); });
  }
  /// Adds viewers one after the other, so that the first ones are served by the server.
  void add(std::size_t count, protocol::Role role = protocol::Role::Spectator,
           const std::string& token = {}) {
    for (std::size_t i = 0; i < count; ++i) {
      guests.push_back(Guest::viewer(house, role, with_token(token, static_cast<int>(++secrets))));
      ASSERT_TRUE(house.run_until([&] { return are_playing(); }, [&] { update(); }));
    }
  }

  House house;
  std::vector<std::unique_ptr<Guest>> guests;
  std::size_t secrets = 0;
};

TEST(Audience, SeesTheStatesOfTheServer) {
  Crowd crowd;
  crowd.add(5);
  EXPECT_EQ(crowd.house.viewers().handed_over(), 3U);
  // Two viewers and the gate.
  EXPECT_EQ(crowd.house.server().session_count(), 3U);
  for (const auto& guest : crowd.guests)
    guest->hashes.clear();
  crowd.house.run_ticks(300, [&] { crowd.update(); });
  for (const auto& guest : crowd.guests) {
    EXPECT_GT(guest->hashes.size(), 100U);
    for (const auto& [tick, hash] : guest->hashes)
      ASSERT_EQ(hash, crowd.house.hashes().at(tick)) << "tick " << tick;
  }
}

TEST(Audience, HasNoPlayers) {
  Crowd crowd;
  crowd.add(4);
  crowd.add(1, protocol::Role::Player);
  EXPECT_EQ(crowd.house.viewers().handed_over(), 2U);
  EXPECT_FALSE(crowd.guests.back()->client->status().player.is_null());
}

TEST(Audience, HasTheListOfScenesAndIsToldWhatItCannotHave) {
  Crowd crowd;
  crowd.house.server().set_scenes({{{"one", "the first"}, {"two", "the second"}}, {}});
  crowd.add(4);
  ASSERT_EQ(crowd.house.viewers().handed_over(), 2U);
  client::Client& viewer = *crowd.guests.back()->client;
  std::optional<std::string> notice;
  const auto is_told = [&](std::string_view words) {
    return crowd.house.run_until(
        [&] {
          const auto next = viewer.take_notice();
          if (next) notice = next;
          return notice && notice->find(words) != std::string::npos;
        },
        [&] { crowd.update(); });
  };

  viewer.ask_for_scenes();
  EXPECT_TRUE(
      crowd.house.run_until([&] { return viewer.scenes().size() == 2; }, [&] { crowd.update(); }));
  ASSERT_EQ(viewer.scenes().size(), 2U);
  EXPECT_EQ(viewer.scenes()[1].name, "two");
  EXPECT_EQ(viewer.scenes()[1].description, "the second");

  viewer.inspect({.layers = 0, .wants_statistics = true, .body = {}});
  EXPECT_TRUE(is_told("no debug draw, statistics"));
  viewer.load_scene("two");
  EXPECT_TRUE(is_told("only watch"));
}

TEST(Audience, DoesNotTakeViewersThatNeedTheServer) {
  Crowd crowd;
  crowd.add(4);
  web_client::WebSocketOptions options;
  options.target = "/ws/server";
  crowd.guests.push_back(Guest::viewer(crowd.house, protocol::Role::Spectator, options));
  ASSERT_TRUE(crowd.house.run_until([&] { return crowd.are_playing(); }, [&] { crowd.update(); }));
  EXPECT_EQ(crowd.house.viewers().handed_over(), 2U);
}

TEST(Audience, EndsWithItsViewers) {
  Crowd crowd;
  crowd.add(4);
  while (!crowd.guests.empty()) {
    crowd.guests.back()->client->close();
    crowd.guests.back()->client->update();
    crowd.guests.pop_back();
  }
  ASSERT_TRUE(crowd.house.run_until([&] {
    return crowd.house.server().session_count() == 0 && crowd.house.viewers().viewer_count() == 0;
  }));
  EXPECT_EQ(crowd.house.viewers().handed_over(), 0U);
  crowd.add(4);  // a new one opens
  EXPECT_EQ(crowd.house.viewers().handed_over(), 2U);
}

TEST(Audience, JoinsAgainAfterTheServerWasLost) {
  Crowd crowd;
  crowd.add(5);
  crowd.house.close_server();
  ASSERT_TRUE(crowd.house.run_until(
      [&] {
        return std::all_of(crowd.guests.begin(), crowd.guests.end(), [](const auto& guest) {
          return guest->client->status().is_reconnecting;
        });
      },
      [&] { crowd.update(); }));
  crowd.house.open_server();
  ASSERT_TRUE(crowd.house.run_until(
      [&] { return crowd.are_playing() && crowd.house.viewers().viewer_count() == 6; },
      [&] { crowd.update(); }));
  EXPECT_GT(crowd.house.viewers().handed_over(), 0U);
}

TEST(Audience, JoinsAgainAfterTheServerEndedItsSession) {
  Crowd crowd;
  crowd.add(5);
  // The gate is the only peer without a key.
  net::PeerId gate{gate_link::GateTransport::peer_bit | 1};
  while (crowd.house.viewers().identity(gate) &&
         crowd.house.viewers().identity(gate)->key != crypto::PublicKey{})
    ++gate.value;
  ASSERT_TRUE(crowd.house.viewers().identity(gate));
  crowd.house.viewers().disconnect(gate, DisconnectReason::Requested);
  ASSERT_TRUE(crowd.house.run_until([&] { return !crowd.house.viewers().identity(gate); },
                                    [&] { crowd.update(); }));
  ASSERT_TRUE(crowd.house.run_until([&] { return !crowd.are_playing(); }, [&] { crowd.update(); }));
  ASSERT_TRUE(crowd.house.run_until(
      [&] { return crowd.are_playing() && crowd.house.viewers().handed_over() == 3; },
      [&] { crowd.update(); }));
}

TEST(Audience, LosesAViewerWhoseTokenIsRevoked) {
  TokenDesk desk;
  HouseOptions options;
  options.security = desk.security();
  Crowd crowd(std::move(options));
  const std::string common = desk.token(secure::Role::Spectator, true);
  crowd.add(3, protocol::Role::Spectator, common);
  const std::string own = desk.token(secure::Role::Spectator, true);
  crowd.add(1, protocol::Role::Spectator, own);
  ASSERT_EQ(crowd.house.viewers().handed_over(), 2U);
  desk.registry.revoke(secure::decode_token(*secure::parse_token_text(own))->id);
  const client::Client& revoked = *crowd.guests.back()->client;
  ASSERT_TRUE(
      crowd.house.run_until([&] { return revoked.status().state == client::ClientState::Failed; },
                            [&] { crowd.update(); }));
  EXPECT_NE(revoked.status().text.find("revoked"), std::string::npos);
  EXPECT_EQ(crowd.house.viewers().handed_over(), 1U);
  EXPECT_TRUE(crowd.guests.front()->is_playing());
}

TEST(Audience, IsToldThatTheServerShutsDown) {
  Crowd crowd;
  crowd.add(4);
  crowd.house.server().disconnect_all();
  ASSERT_TRUE(crowd.house.run_until(
      [&] {
        return std::all_of(crowd.guests.begin(), crowd.guests.end(),
                           [](const auto& guest) { return !guest->is_playing(); });
      },
      [&] { crowd.update(); }));
  EXPECT_EQ(crowd.house.viewers().handed_over(), 0U);
}

/// A gate that asks to watch although the server has admitted none of its viewers.
TEST(Audience, IsRefusedToAGateWithoutViewers) {
  House house;
  const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(house.socket_path().size(), sizeof address.sun_path);
  house.socket_path().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::fcntl(handle, F_SETFL, O_NONBLOCK), 0);
  gate_link::LocalConnection connection(handle);
  std::vector<std::byte> bytes;
  append_frame(bytes, gate_link::GateFrame(gate_link::GateHello{}));
  append_frame(bytes, gate_link::GateFrame(gate_link::GateWatch{gate_link::ViewerId{1}}));
  ASSERT_TRUE(connection.write(bytes));
  gate_link::FrameBuffer received;
  std::optional<gate_link::CloseViewer> answer;
  ASSERT_TRUE(house.run_until([&] {
    std::array<std::byte, 4'096> buffer{};
    const auto count = connection.read(buffer);
    EXPECT_TRUE(count);
    if (count) received.add(std::span(buffer).first(*count));
    while (const auto frame = received.next()) {
      const auto content = gate_link::decode_server_frame(*frame);
      EXPECT_FALSE(content && std::holds_alternative<gate_link::ViewerAdmitted>(*content));
      if (content && std::holds_alternative<gate_link::CloseViewer>(*content))
        answer = std::get<gate_link::CloseViewer>(*content);
    }
    return answer.has_value();
  }));
  EXPECT_EQ(answer->viewer, gate_link::ViewerId{1});
  EXPECT_EQ(house.server().session_count(), 0U);
}

}  // namespace
}  // namespace jostle::gate
