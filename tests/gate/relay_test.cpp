#include "protocol/control_codec.h"
#include "shared/base/bytes.h"
#include "tests/gate/gate_fixture.h"

#include "gate/relay/relay_room.h"
#include <set>

namespace jostle::gate {
namespace {

/// A relay of a house's server, with a web server of its own.
class RelayHouse {
 public:
  explicit RelayHouse(House& house, RelayRoom::Options options = {}) : house(house) {
    options.server = house.clients().local_address();
    auto room = RelayRoom::create(house.context(), options);
    EXPECT_TRUE(room) << (room ? "" : room.error());
    relay = room->get();
    gate.add_room("main", *std::move(room));
    auto created = http::Server::create(house.context(), {}, gate);
    EXPECT_TRUE(created);
    web = *std::move(created);
    EXPECT_TRUE(house.run_until([&] { return relay->is_open(); }));
  }
  ~RelayHouse() {
    gate.close_all();
    for (int i = 0; i < 20; ++i)
      house.work();
  }
  std::unique_ptr<Guest> guest() {
    return Guest::create(house, house.new_viewer(), web->local_address(), protocol::Role::Spectator,
                         "audience");
  }
  http::Response get(const std::string& path) {
    http::Request request;
    request.path = path;
    return gate.respond(request);
  }

  House& house;
  Gate gate{http::StaticFiles{}};
  RelayRoom* relay = nullptr;
  std::unique_ptr<http::Server> web;
};

/// Expects that a guest has decoded at least `least` snapshots, as the server made them.
void expect_same_states(const House& house, const Guest& guest, std::size_t least) {
  EXPECT_GE(guest.hashes.size(), least);
  for (const auto& [tick, hash] : guest.hashes) {
    const auto there = house.hashes().find(tick);
    ASSERT_NE(there, house.hashes().end());
    EXPECT_EQ(hash, there->second) << "tick " << tick;
  }
}

TEST(Relay, ShowsTheStatesOfTheServerToAllItsViewers) {
  House house;
  RelayHouse relay(house);
  std::vector<std::unique_ptr<Guest>> guests;
  guests.push_back(relay.guest());
  const auto update = [&] {
    for (const auto& guest : guests)
      guest->client->update();
  };
  ASSERT_TRUE(house.run_until([&] { return guests[0]->is_playing(); }, update));
  house.run_ticks(40, update);
  guests.push_back(relay.guest());  // joins in the middle
  ASSERT_TRUE(house.run_until([&] { return guests[1]->is_playing(); }, update));
  house.run_ticks(200, update);
  expect_same_states(house, *guests[0], 150);
  expect_same_states(house, *guests[1], 120);
  // The server has one client: the relay.
  EXPECT_EQ(house.server().session_count(), 1U);
}

TEST(Relay, FollowsChangesOfTheWorld) {
  House house;
  const auto player = Guest::enet(house, protocol::Role::Player);
  RelayHouse relay(house);
  const auto guest = relay.guest();
  const auto update = [&] {
    player->client->update();
    guest->client->update();
  };
  ASSERT_TRUE(house.run_until([&] { return guest->is_playing() && player->is_playing(); }, update));
  for (int i = 0; i < 4; ++i) {
    state::PlayerInput input;
    input.actions.push_back(
        {.kind = state::ActionKind::Shoot, .body = {}, .point = {0, 2, 6}, .vector = {0, 0, -10}});
    player->client->set_input(input);
    house.run_ticks(10, update);
    player->client->set_input({});
    house.run_ticks(20, update);
  }
  EXPECT_TRUE(house.run_until(
      [&] { return guest->client->world().revision == house.simulation().world_def().revision; },
      update));
  EXPECT_EQ(guest->client->world().bodies.size(), house.simulation().world_def().bodies.size());
  expect_same_states(house, *guest, 60);
  // A reset of the scene sends a new world.
  house.server().command({state::ControlKind::Reset});
  house.run_ticks(60, update);
  EXPECT_TRUE(house.run_until(
      [&] { return guest->client->world().revision == house.simulation().world_def().revision; },
      update));
  expect_same_states(house, *guest, 60);
}

TEST(Relay, AViewerThatFallsBehindGoesOnAtTheNextKeyFrame) {
  House house;
  RelayHouse relay(house, {.key_seconds = 0.5});
  const auto guest = relay.guest();
  const auto update = [&] { guest->client->update(); };
  ASSERT_TRUE(house.run_until([&] { return guest->is_playing(); }, update));
  auto& transport = static_cast<web_client::WebSocketTransport&>(*guest->transport);
  transport.set_reading(false);
  house.run_ticks(60);
  transport.set_reading(true);
  const state::Tick now = house.simulation().tick();
  EXPECT_TRUE(house.run_until(
      [&] { return !guest->hashes.empty() && guest->hashes.rbegin()->first > now.number + 30; },
      update));
  expect_same_states(house, *guest, 30);
}

TEST(Relay, DelaysWhatItShows) {
  House house;
  RelayHouse relay(house, {.delay_seconds = 1.0});
  const auto guest = relay.guest();
  const auto update = [&] { guest->client->update(); };
  std::vector<std::int64_t> delays_us;
  guest->client->set_complete_hook([&](const protocol::QuantizedSnapshot& snapshot) {
    delays_us.push_back(house.io().now_us() - house.simulated_us().at(snapshot.tick.number));
  });
  ASSERT_TRUE(house.run_until([&] { return delays_us.size() > 20; }, update));
  EXPECT_GE(*std::min_element(delays_us.begin(), delays_us.end()), 1'000'000);
}

TEST(Relay, RefusesPlayers) {
  House house;
  RelayHouse relay(house);
  const auto guest = Guest::create(house, house.new_viewer(), relay.web->local_address(),
                                   protocol::Role::Player, "player");
  EXPECT_TRUE(
      house.run_until([&] { return guest->client->status().state == client::ClientState::Failed; },
                      [&] { guest->client->update(); }));
}

/// Reads the records of a file of the relay into events.
std::vector<net::PeerEvent> read_records(const std::string& body) {
  base::ByteReader reader(std::as_bytes(std::span(body)));
  EXPECT_EQ(reader.u32(), 0x59'4C'52'4AU);
  EXPECT_EQ(reader.u16(), 1U);
  std::vector<net::PeerEvent> events;
  std::uint32_t before = 0;
  while (reader.remaining() > 0 && reader.ok()) {
    const std::uint32_t milliseconds = reader.u32();
    EXPECT_GE(milliseconds, before);
    before = milliseconds;
    net::PeerEvent& event = events.emplace_back();
    event.kind = net::PeerEvent::Kind::Received;
    event.channel = static_cast<net::Channel>(reader.u8());
    const auto bytes = reader.raw(reader.u32());
    event.bytes.assign(bytes.begin(), bytes.end());
  }
  EXPECT_TRUE(reader.ok());
  return events;
}

/// A transport that plays the files of a relay to a client.
class FileTransport final : public net::Transport {
 public:
  std::vector<net::PeerEvent> events;
  void service(std::vector<net::PeerEvent>& out) override {
    out.insert(out.end(), events.begin(), events.end());
    events.clear();
  }
  std::optional<net::PeerId> connect(net::Address) override {
    events.insert(events.begin(),
                  {.kind = net::PeerEvent::Kind::Connected, .peer = {1}, .bytes = {}});
    return net::PeerId{1};
  }
  bool send(net::PeerId, net::Channel, std::span<const std::byte>) override { return true; }
  void flush() override {}
  void disconnect(net::PeerId, net::DisconnectReason) override {}
  void drop(net::PeerId, net::DisconnectReason) override {}
  std::size_t pending_reliable_bytes(net::PeerId) const override { return 0; }
  std::optional<net::PeerStats> stats(net::PeerId) const override { return std::nullopt; }
  std::optional<net::PeerIdentity> identity(net::PeerId) const override { return std::nullopt; }
  std::string trouble_with(net::PeerId) const override { return {}; }
  bool has_answered(net::PeerId) const override { return true; }
  net::TransportCounters counters() const override { return {}; }
  net::Address local_address() const override { return {}; }
  int native_handle() const override { return -1; }
};

TEST(Relay, ServesFilesFromWhichAClientShowsTheSameStates) {
  House house;
  RelayHouse relay(house, {.key_seconds = 0.5});
  EXPECT_EQ(relay.get("/room/main/relay/fragment-99.jrly").status, 404);
  ASSERT_TRUE(
      house.run_until([&] { return relay.get("/room/main/relay/fragment-3.jrly").status == 200; }));
  const http::Response live = relay.get("/relay/live.json");
  EXPECT_NE(live.body->find("\"newest\":"), std::string::npos);
  const auto files = [&](const std::string& name) {
    const http::Response response = relay.get("/relay/" + name);
    EXPECT_EQ(response.status, 200);
    std::vector<net::PeerEvent> events = read_records(*response.body);
    for (net::PeerEvent& event : events)
      event.peer = {1};
    return events;
  };
  // Begins with the second fragment, as a viewer that comes later.
  auto transport = std::make_unique<FileTransport>();
  FileTransport& file = *transport;
  const auto guest = Guest::create(house, std::move(transport), {}, protocol::Role::Spectator, "f");
  guest->client->update();
  for (const char* const name : {"world-2.jrly", "fragment-2.jrly", "fragment-3.jrly"}) {
    const auto events = files(name);
    file.events.insert(file.events.end(), events.begin(), events.end());
    guest->client->update();
  }
  guest->client->update();
  expect_same_states(house, *guest, 40);
}

}  // namespace
}  // namespace jostle::gate
