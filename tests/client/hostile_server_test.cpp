#include "client/play_session.h"
#include "client/snapshot_receiver.h"
#include "protocol/control_codec.h"
#include "shared/base/random.h"
#include "tests/client/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::client {
namespace {

constexpr net::Channel all_channels[] = {net::Channel::Control, net::Channel::State,
                                         net::Channel::Bulk, net::Channel::Time};

std::vector<std::byte> random_datagram(base::Random& random, std::size_t max_size) {
  std::vector<std::byte> bytes(random.below(static_cast<std::uint32_t>(max_size)));
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

/// Expects that the client either continues, or has failed with a message and is closed.
void expect_sane(const Client& client) {
  if (client.status().state == ClientState::Failed) {
    EXPECT_FALSE(client.status().text.empty());
    EXPECT_TRUE(client.is_closed());
  }
}

TEST(HostileServer, CannotCrashTheClientWithRandomBytesOnAnyChannel) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    base::Random random(seed);
    Match match(seed);
    const net::Channel channel = all_channels[seed % 4];
    match.run(random.below(400));
    for (int i = 0; i < 300; ++i) {
      match.server->send_raw(channel, random_datagram(random, 1'100));
      match.run(2);
    }
    expect_sane(*match.client);
    const bool is_reliable = channel == net::Channel::Control || channel == net::Channel::Bulk;
    if (!is_reliable) {
      EXPECT_TRUE(match.run_until_playing()) << "invalid unreliable messages are only counted";
      match.run(500);
      EXPECT_EQ(match.wrong, 0U);
    } else {
      EXPECT_EQ(match.client->status().state, ClientState::Failed);
    }
  }
}

TEST(HostileServer, MakesTheClientFailOrPlayAgainAfterDamagedMessages) {
  int playing = 0, failed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Match match(seed, {.max_payload_bytes = 80});
    match.link.damage = seed % 2 == 0 ? 0.02f : 0.3f;
    match.run(1'500);
    for (std::uint32_t i = 0; i < 10; ++i) {
      state::BodyInfo body;
      body.id = {500 + i};
      body.shapes = {{state::sphere(0.25f), {}}};
      match.server->change({}, {body});
      match.run(50);
    }
    match.link.damage = 0;
    match.run_until([&] { return match.client->status().state == ClientState::Failed; }, 10'000);
    expect_sane(*match.client);
    const ClientState state = match.client->status().state;
    EXPECT_TRUE(state == ClientState::Playing || state == ClientState::Failed);
    ++(state == ClientState::Playing ? playing : failed);
  }
  EXPECT_GT(playing, 3);
  EXPECT_GT(failed, 3);
}

TEST(HostileServer, IsRefusedForAnInvalidWelcome) {
  struct Row {
    int tick_rate_hz;
    std::uint16_t snapshot_interval_ticks;
  };
  for (const Row& row : {Row{0, 1}, Row{60, 0}, Row{5, 1}, Row{2'000, 1}, Row{60, 61}}) {
    SCOPED_TRACE(testing::Message()
                 << row.tick_rate_hz << " Hz, every " << row.snapshot_interval_ticks);
    protocol::Welcome welcome;
    welcome.tick_rate_hz = static_cast<std::uint16_t>(row.tick_rate_hz);
    welcome.snapshot_interval_ticks = row.snapshot_interval_ticks;
    EXPECT_FALSE(PlaySession::is_acceptable(welcome));
  }
}

TEST(HostileServer, IsDisconnectedForAnInvalidSceneList) {
  using List = std::vector<protocol::SceneInfo>;
  for (const List& list : {List{{1, 2, "b", ""}}, List{{0, 3, "a", ""}, {2, 3, "c", ""}},
                           List{{0, 3, "a", ""}, {1, 2, "b", ""}},
                           List{{0, 2, "a", ""}, {1, 2, "b", ""}, {1, 2, "b", ""}}}) {
    Match match;
    ASSERT_TRUE(match.run_until_playing());
    for (const protocol::SceneInfo& info : list)
      match.server->send_raw(net::Channel::Control, protocol::encode_control(info));
    match.run(100);
    EXPECT_EQ(match.client->status().state, ClientState::Failed);
  }
}

TEST(HostileServer, CannotExhaustMemoryWithSnapshotsOfMissingWorlds) {
  WorldReplica world;
  world.replace(ScriptedServer::make_world(20, 1));
  SnapshotReceiver receiver([](const BufferedSnapshot&, bool) {});
  base::Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    protocol::SnapshotHeader header;
    header.tick = {static_cast<std::uint32_t>(random.next())};
    header.world_revision = 2 + random.below(1'000'000);
    header.count = 20;
    receiver.take(protocol::encode_snapshot_message(header,
                                                    i % 2 == 0 ? protocol::SnapshotCodec::BitPacked
                                                               : protocol::SnapshotCodec::Context,
                                                    random_datagram(random, 900)),
                  world);
    receiver.retry_held(world);
  }
  EXPECT_LE(receiver.held_parts(), SnapshotReceiver::max_held_parts);
  EXPECT_TRUE(receiver.buffer().entries().empty());
  EXPECT_GT(receiver.counters().dropped, 19'000U);
}

TEST(HostileServer, CannotGrowTheBufferWithSnapshotsOfRandomTicks) {
  WorldReplica world;
  world.replace(ScriptedServer::make_world(20, 1));
  SnapshotReceiver receiver([](const BufferedSnapshot&, bool) {});
  base::Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    protocol::SnapshotHeader header;
    header.tick = {1 + (random.chance(0.01f) ? static_cast<std::uint32_t>(random.next())
                                             : random.below(10'000))};
    header.world_revision = 1;
    header.parts = static_cast<std::uint8_t>(1 + random.below(3));
    header.part = static_cast<std::uint8_t>(random.below(header.parts));
    header.first = random.below(15);
    header.count = 1 + random.below(6);
    receiver.take(protocol::encode_snapshot_message(header,
                                                    i % 2 == 0 ? protocol::SnapshotCodec::BitPacked
                                                               : protocol::SnapshotCodec::Context,
                                                    random_datagram(random, 200)),
                  world);
    ASSERT_LE(receiver.buffer().entries().size(), SnapshotBuffer::window_ticks);
  }
}

TEST(HostileServer, CannotMoveTheClockWithUnsolicitedPongs) {
  Match match;
  ASSERT_TRUE(match.run_until_playing());
  match.run(2'000);
  base::Random random(8);
  for (int i = 0; i < 500; ++i) {
    protocol::TimePong pong;
    pong.id = 1 + random.below(10'000);
    pong.client_send_us = static_cast<std::int64_t>(random.next());
    pong.server_receive_us = static_cast<std::int64_t>(random.next());
    pong.server_send_us = pong.server_receive_us;
    pong.tick = {static_cast<std::uint32_t>(random.next())};
    pong.tick_due_us = static_cast<std::int64_t>(random.next());
    match.server->send_raw(net::Channel::Time, protocol::encode_pong(pong));
    match.run(2);
  }
  EXPECT_NEAR(match.client->shown_tick(), match.server->exact_tick(), 6);
}

}  // namespace
}  // namespace jostle::client
