#include "protocol/context/own_hello.h"
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "shared/net/enet_transport.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>

// One client misbehaves. Another client, the bystander, must not receive data later or receive more
// data because of that. Spectators do not move the world, and the links are constant. Every
// snapshot must therefore reach the bystander at exactly the same time as without the troublemaker.

namespace jostle::match {
namespace {

constexpr std::uint32_t trouble_ip = 0x0A0000AAU;

/// Misbehaviour of the troublemaker, starting when it plays.
enum class Trouble : std::uint8_t { StopsReading, Floods, SendsStaleAcks };

struct TroubleCase {
  std::string name;
  Trouble trouble = Trouble::StopsReading;
};
void PrintTo(const TroubleCase& row, std::ostream* out) {
  *out << row.name;
}

/// A spectator that completes its handshake and then misbehaves.
class Troublemaker {
 public:
  Troublemaker(Match& match, Trouble trouble) : match_(match), trouble_(trouble) {
    net::EnetOptions options;
    options.bind = net::Address{trouble_ip, 0};
    options.is_insecure_bind_allowed = true;
    options.is_accepting = false;
    transport_ = *net::EnetTransport::create(match.network().node(trouble_ip), options);
    peer_ = *transport_->connect({server_ip, server_port});
  }

  /// Receives and misbehaves. Call it every two milliseconds.
  void act() {
    if (trouble_ == Trouble::StopsReading && has_played_) return;
    events_.clear();
    transport_->service(events_);
    for (const net::PeerEvent& event : events_)
      take(event);
    if (!is_connected_) return;
    if (!has_played_) {
      acknowledge(match_.simulation().tick());
    } else if (trouble_ == Trouble::Floods) {
      flood();
    } else if (trouble_ == Trouble::SendsStaleAcks) {
      acknowledge(played_);
    }
    transport_->flush();
  }
  bool has_played() const { return has_played_; }
  std::uint64_t datagrams_sent() const { return transport_->counters().datagrams_sent; }

 private:
  void take(const net::PeerEvent& event) {
    if (event.kind == net::PeerEvent::Kind::Connected) {
      is_connected_ = true;
      protocol::Hello hello = protocol::context::own_hello();
      hello.role = protocol::Role::Spectator;
      hello.client_name = "Mallory";
      transport_->send(peer_, net::Channel::Control, protocol::encode_control(hello));
    } else if (event.kind == net::PeerEvent::Kind::Disconnected) {
      is_connected_ = false;
    } else if (event.channel == net::Channel::State && !has_played_) {
      has_played_ = true;
      played_ = match_.simulation().tick();
    }
  }
  /// Acknowledges `tick` and all ticks before it that are in the ack bitmask. Sends a packet only
  /// in every eighth call, because the server limits the rate.
  void acknowledge(state::Tick tick) {
    if (++turns_ % 8 != 0) return;
    protocol::InputPacket packet;
    packet.ack = {.newest = tick, .history = ~std::uint32_t{0}, .partial = {}};
    transport_->send(peer_, net::Channel::State, protocol::encode_input(packet));
  }
  void flood() {
    for (std::uint32_t i = 0; i < 50; ++i) {
      transport_->send(peer_, net::Channel::Time, protocol::encode_ping({.id = ++pings_}));
      transport_->send(peer_, net::Channel::State, std::vector<std::byte>(1'000));
      transport_->flush();
    }
  }

  Match& match_;
  Trouble trouble_;
  std::unique_ptr<net::Transport> transport_;
  net::PeerId peer_;
  std::vector<net::PeerEvent> events_;
  bool is_connected_ = false, has_played_ = false;
  state::Tick played_;
  std::uint32_t turns_ = 0, pings_ = 0;
};

/// Delay in µs of each snapshot, by tick: from the time its tick was due until the bystander
/// received it.
using Ages = std::map<std::uint32_t, std::int64_t>;

struct Story {
  Ages ages;
  std::size_t different = 0;  // snapshots that differ from the server's
  std::uint64_t snapshot_bytes = 0;
  std::uint64_t trouble_datagrams = 0;
  bool was_admitted = false;
  std::size_t sessions_at_end = 0;
  server::Metrics server;
};

/// Plays a match of 12 s with a bystander and, if `trouble` is set, a spectator that misbehaves in
/// this way.
Story run_beside(std::optional<Trouble> trouble) {
  MatchOptions options;
  options.seed = 7;
  options.faults.latency_us = 20'000;
  options.server.snapshot_interval_ticks = 1;
  Match match(options);
  Story story;
  Seat& ann = match.add_client("Ann", protocol::Role::Player,
                               {.interval_us = 2'000, .wakes_on_arrival = true});
  ann.on_complete = [&](const protocol::QuantizedSnapshot& snapshot) {
    story.ages[snapshot.tick.number] = match.network().now_us() - match.due_us(snapshot.tick);
  };
  ann.transport->set_receive_listener(
      [&](net::PeerId, net::Channel channel, std::span<const std::byte> bytes) {
        if (channel == net::Channel::State) story.snapshot_bytes += bytes.size();
      });
  EXPECT_TRUE(match.run_until_playing(5.0));
  std::unique_ptr<Troublemaker> mallory;
  if (trouble) mallory = std::make_unique<Troublemaker>(match, *trouble);
  constexpr double seconds = 16;
  constexpr std::int64_t step_us = 2'000;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(seconds * 1e6) / step_us; ++i) {
    state::PlayerInput input;
    // Move back and forth, so that snapshots change.
    input.move_x = i / 300 % 2 == 0 ? 0.8f : -0.8f;
    ann.client->set_input(input);
    match.run_to(match.network().now_us() + step_us);
    if (mallory) mallory->act();
  }
  story.different = match.agreement(ann).different;
  story.server = match.server().metrics();
  story.sessions_at_end = match.server().session_count();
  if (mallory) {
    story.trouble_datagrams = mallory->datagrams_sent();
    story.was_admitted = mallory->has_played();
  }
  return story;
}

class Bystander : public testing::TestWithParam<TroubleCase> {};

TEST_P(Bystander, ReceivesEverySnapshotAsEarlyAsWithoutTheTroublemaker) {
  static const Story alone = run_beside(std::nullopt);
  const Story beside = run_beside(GetParam().trouble);
  ASSERT_TRUE(beside.was_admitted);
  ASSERT_GT(alone.ages.size(), 700U);
  EXPECT_EQ(beside.ages, alone.ages);
  EXPECT_EQ(beside.snapshot_bytes, alone.snapshot_bytes);
  EXPECT_EQ(beside.different, 0U);
}

INSTANTIATE_TEST_SUITE_P(Cases, Bystander,
                         testing::Values(TroubleCase{"StopsReading", Trouble::StopsReading},
                                         TroubleCase{"Floods", Trouble::Floods},
                                         TroubleCase{"SendsStaleAcks", Trouble::SendsStaleAcks}),
                         [](const auto& row) { return row.param.name; });

TEST(Troublemakers, ClientsThatStopReadingAreDropped) {
  const Story story = run_beside(Trouble::StopsReading);
  ASSERT_TRUE(story.was_admitted);
  EXPECT_EQ(story.sessions_at_end, 1U);
  EXPECT_EQ(story.server.messages_refused, 0U);
}

TEST(Troublemakers, ClientsThatFloodAreDropped) {
  const Story story = run_beside(Trouble::Floods);
  ASSERT_TRUE(story.was_admitted);
  EXPECT_EQ(story.sessions_at_end, 1U);
  EXPECT_EQ(story.server.sessions_dropped, 1U);
  EXPECT_GT(story.trouble_datagrams, 100U);
}

// Stale acknowledgements are not misbehaviour: they only make the sender's snapshots larger.
TEST(Troublemakers, ClientsThatSendStaleAcksStayAndReceiveNoMoreKeyframes) {
  const Story story = run_beside(Trouble::SendsStaleAcks);
  ASSERT_TRUE(story.was_admitted);
  EXPECT_EQ(story.sessions_at_end, 2U);
  EXPECT_EQ(story.server.sessions_dropped, 0U);
  EXPECT_LT(story.server.keyframes_sent, 12U);
}

}  // namespace
}  // namespace jostle::match
