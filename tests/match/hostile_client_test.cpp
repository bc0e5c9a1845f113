#include "protocol/context/own_hello.h"
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "shared/base/random.h"
#include "shared/net/enet_transport.h"
#include "shared/net/loopback_carrier.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <tuple>

namespace jostle::match {
namespace {

std::vector<std::byte> random_bytes(base::Random& random, std::size_t most) {
  std::vector<std::byte> bytes(1 + random.below(static_cast<std::uint32_t>(most)));
  for (std::byte& b : bytes)
    b = static_cast<std::byte>(random.below(256));
  return bytes;
}

/// Transport of the datagrams: in memory, or through the kernel's loopback device.
enum class Wire : std::uint8_t { Memory, Loopback };

std::string name_of(Wire wire) {
  return wire == Wire::Memory ? "Memory" : "Loopback";
}

MatchOptions options_of(Wire wire, std::uint64_t seed = 1) {
  MatchOptions options;
  options.seed = seed;
  if (wire == Wire::Loopback)
    options.make_carrier = [] { return std::make_unique<net::LoopbackCarrier>(); };
  return options;
}

/// Returns the Hello of a regular client.
protocol::Hello good_hello() {
  protocol::Hello hello = protocol::context::own_hello();
  hello.client_name = "mallory";
  return hello;
}

/// A peer with a real ENet connection, from which the tests send malicious messages.
struct Hostile {
  Hostile(Match& match, std::uint32_t ip) {
    net::EnetOptions options;
    options.bind = net::Address{ip, 0};
    options.is_insecure_bind_allowed = true;
    options.is_accepting = false;
    transport = *net::EnetTransport::create(match.network().node(ip), options);
    peer = *transport->connect({server_ip, server_port});
  }
  bool is_gone() const {
    for (const net::PeerEvent& event : events) {
      if (event.kind == net::PeerEvent::Kind::Disconnected) return true;
    }
    return false;
  }
  std::unique_ptr<net::Transport> transport;
  net::PeerId peer;
  std::vector<net::PeerEvent> events;
};

void expect_ann_is_well(Match& match, const Seat& ann) {
  EXPECT_EQ(ann.client->status().state, client::ClientState::Playing);
  EXPECT_EQ(match.agreement(ann).different, 0U);
  EXPECT_LT(match.largest_error(ann), shown_tolerance);
  EXPECT_EQ(match.server().session_count(), 1U);
}

class HostileClient : public testing::TestWithParam<std::tuple<Wire, std::uint64_t>> {
 protected:
  const Wire wire = std::get<0>(GetParam());
  const std::uint64_t seed = std::get<1>(GetParam());
};

TEST_P(HostileClient, IsDroppedForRandomMessagesWithoutAffectingOthers) {
  base::Random random(seed);
  Match match(options_of(wire, seed));
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  Hostile hostile(match, 0x0A0000AAU);
  for (int i = 0; i < 500 && !hostile.is_gone(); ++i) {
    match.run_seconds(0.01);
    hostile.transport->service(hostile.events);
    const auto channel = static_cast<net::Channel>(random.below(net::channel_count));
    hostile.transport->send(hostile.peer, channel, random_bytes(random, 1'000));
  }
  EXPECT_TRUE(hostile.is_gone());
  match.run_seconds(6.0);
  EXPECT_GE(match.server().metrics().sessions_dropped, 1U);
  EXPECT_GT(match.server().metrics().messages_refused, 0U);
  expect_ann_is_well(match, ann);
}

TEST_P(HostileClient, CannotBreakTheServerWithDamagedMessages) {
  base::Random random(seed);
  Match match(options_of(wire));
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  const protocol::Hello hello = good_hello();
  protocol::InputPacket packet;
  packet.ack.newest = {17};
  packet.ack.partial.push_back({{5}, ~std::uint64_t{0}});
  state::PlayerInput input;
  input.tick = {200};
  input.actions.push_back({state::ActionKind::Push, {3}, {}, {0, 50, 0}});
  packet.inputs.push_back(input);
  const std::vector<std::vector<std::byte>> good{
      protocol::encode_control(hello),
      protocol::encode_input(packet),
      protocol::encode_ping({1, 2}),
      protocol::encode_control(protocol::ControlRequest{{state::ControlKind::Reset, 0}}),
      protocol::encode_control(protocol::SceneListRequest{}),
      protocol::encode_control(protocol::SceneRequest{"../match"})};
  const std::vector<net::Channel> channels{net::Channel::Control, net::Channel::State,
                                           net::Channel::Time,    net::Channel::Control,
                                           net::Channel::Control, net::Channel::Control};
  for (int round = 0; round < 8; ++round) {
    Hostile hostile(match, 0x0A0000B0U + static_cast<std::uint32_t>(round));
    match.run_seconds(0.1);
    hostile.transport->service(hostile.events);
    hostile.transport->send(hostile.peer, channels[0], good[0]);
    for (int i = 0; i < 60 && !hostile.is_gone(); ++i) {
      match.run_seconds(0.02);
      hostile.transport->service(hostile.events);
      const std::size_t which = random.below(static_cast<std::uint32_t>(good.size()));
      std::vector<std::byte> damaged = good[which];
      damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] ^= std::byte{1}
                                                                           << random.below(8);
      hostile.transport->send(hostile.peer, channels[which], damaged);
    }
  }
  EXPECT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 12.0));
  match.run_seconds(5.0);
  expect_ann_is_well(match, ann);
}

TEST_P(HostileClient, GarbageDatagramsAreRejectedBelowEnet) {
  base::Random random(seed);
  Match match(options_of(wire));
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  for (int i = 0; i < 2'000; ++i) {
    const net::Address from{random.below(2) == 0 ? ann.ip : 0x0B000000U + random.below(1000),
                            static_cast<std::uint16_t>(1 + random.below(65'535))};
    match.network().inject({from, {server_ip, server_port}, random_bytes(random, 1'300)});
    if (i % 20 == 0) match.run_seconds(0.02);
  }
  match.run_seconds(3.0);
  expect_ann_is_well(match, ann);
}

INSTANTIATE_TEST_SUITE_P(Wires, HostileClient,
                         testing::Combine(testing::Values(Wire::Memory, Wire::Loopback),
                                          testing::Values(1, 2, 3)),
                         [](const auto& trial) {
                           return name_of(std::get<0>(trial.param)) +
                                  std::to_string(std::get<1>(trial.param));
                         });

class HostileClientWorld : public testing::TestWithParam<Wire> {};
INSTANTIATE_TEST_SUITE_P(Wires, HostileClientWorld, testing::Values(Wire::Memory, Wire::Loopback),
                         [](const auto& trial) { return name_of(trial.param); });

TEST_P(HostileClientWorld, HugeButValidActionsHaveALimitedEffect) {
  Match match(options_of(GetParam()));
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(4.0);
  state::PlayerInput input;
  input.move_x = 1;
  const float big = protocol::max_impulse;
  input.actions.push_back({state::ActionKind::Push, {8}, {1e6f, 0, 0}, {big, big, big}});
  input.actions.push_back({state::ActionKind::Shoot, {}, {0, 6, 0}, {-big, 0, 0}});
  input.actions.push_back({state::ActionKind::Grab, {9}, {1e6f, 1e6f, 0}, {1e6f, 1e6f, 1e6f}});
  for (int i = 0; i < 120; ++i) {
    ann.client->set_input(input);
    match.run_seconds(1.0 / 60.0);
    for (const state::BodyState& body : match.simulation().capture().bodies) {
      ASSERT_TRUE(math::is_finite(body.pose.position));
      ASSERT_LE(math::length(body.linear_velocity), 401.0f);
    }
  }
}

TEST_P(HostileClientWorld, PushesAndDragsOfAnotherPlayersBodyHaveNoEffect) {
  Match match(options_of(GetParam()));
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(3.0);
  const state::BodyId of_ann = match.simulation().player_body(ann.client->status().player);
  const auto place = [&] {
    for (const state::BodyState& body : match.simulation().capture().bodies)
      if (body.id == of_ann) return body.pose.position;
    return math::Position{};
  };
  const math::Position before = place();
  state::PlayerInput input;
  const float big = protocol::max_impulse;
  input.actions.push_back({state::ActionKind::Push, of_ann, {}, {big, big, 0}});
  input.actions.push_back({state::ActionKind::Grab, of_ann, {}, {0, 50, 0}});
  for (int i = 0; i < 60; ++i) {
    bob.client->set_input(input);
    match.run_seconds(1.0 / 60.0);
  }
  EXPECT_LT(math::length(place() - before), 1e-3f);
  // The same push must move Bob's own body.
  input.actions[0].body = match.simulation().player_body(bob.client->status().player);
  const state::BodyId of_bob = input.actions[0].body;
  bob.client->set_input(input);
  match.run_seconds(0.5);
  for (const state::BodyState& body : match.simulation().capture().bodies) {
    if (body.id != of_bob) continue;
    EXPECT_GT(math::length(body.linear_velocity), 0.5f);
  }
}

/// Waits until the peer is connected, and sends a regular Hello.
void say_hello(Match& match, Hostile& peer) {
  ASSERT_TRUE(match.run_until(
      [&] {
        peer.transport->service(peer.events);
        return !peer.events.empty();
      },
      5.0));
  ASSERT_TRUE(peer.transport->send(peer.peer, net::Channel::Control,
                                   protocol::encode_control(good_hello())));
}

TEST_P(HostileClientWorld, AClientThatSendsNonFiniteActionsIsDropped) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr std::array not_finite{std::numeric_limits<float>::quiet_NaN(), inf, -inf};
  Match match(options_of(GetParam()));
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(3.0);
  Hostile hostile(match, 0x0A0000AAU);
  ASSERT_NO_FATAL_FAILURE(say_hello(match, hostile));
  // A value that occurs once in the packet, so that its position can be found.
  constexpr float mark = 41.0625F;
  std::size_t marks = 0;
  for (int i = 0; i < 200 && !hostile.is_gone(); ++i) {
    state::PlayerInput input;
    input.tick = match.simulation().tick() + 6;
    input.actions.push_back(
        {state::ActionKind::Push, {static_cast<std::uint32_t>(3 + i % 8)}, {}, {0, mark, 0}});
    protocol::InputPacket packet;
    packet.inputs.push_back(input);
    auto bytes = protocol::encode_input(packet);
    const auto pattern = std::as_bytes(std::span(&mark, 1));
    const auto at = std::search(bytes.begin(), bytes.end(), pattern.begin(), pattern.end());
    if (at != bytes.end()) {
      ++marks;
      std::ranges::copy(std::as_bytes(std::span(&not_finite[marks % 3], 1)), at);
    }
    hostile.transport->send(hostile.peer, net::Channel::State, bytes);
    match.run_seconds(1.0 / 60.0);
    hostile.transport->service(hostile.events);
    for (const state::BodyState& body : match.simulation().capture().bodies)
      ASSERT_TRUE(math::is_finite(body.pose.position) && math::is_finite(body.linear_velocity));
  }
  EXPECT_GT(marks, 10U);
  EXPECT_TRUE(hostile.is_gone());
  match.run_seconds(6.0);
  expect_ann_is_well(match, ann);
}

// The peer receives everything and never acknowledges a snapshot.
TEST_P(HostileClientWorld, AClientThatNeverAcknowledgesIsDropped) {
  Match match(options_of(GetParam()));
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  Hostile hostile(match, 0x0A0000AAU);
  ASSERT_NO_FATAL_FAILURE(say_hello(match, hostile));
  const bool is_given_up = match.run_until(
      [&] {
        hostile.transport->service(hostile.events);
        return hostile.is_gone();
      },
      60.0);
  ASSERT_TRUE(is_given_up);
  EXPECT_EQ(hostile.events.back().reason, net::DisconnectReason::TooSlow);
  EXPECT_EQ(match.server().metrics().sessions_dropped, 1U);
  match.run_seconds(1.0);
  expect_ann_is_well(match, ann);
}

// Bob's client is suspended: it reads nothing, so data sent to it fills the buffers on its side.
TEST_P(HostileClientWorld, AClientThatStopsReadingForAMinuteDoesNotAffectOthers) {
  Match match(options_of(GetParam()));
  Seat& ann = match.add_client("Ann");
  Seat& bob = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  bob.next_update_us = match.network().now_us() + 60'000'000;
  std::uint64_t for_bob = 0;
  match.network().set_tap([&](const net::Datagram& datagram) {
    if (datagram.to.ip == net::Ip(bob.ip)) for_bob += datagram.bytes.size();
  });
  match.run_seconds(2.0);
  const std::uint64_t at_first = for_bob;
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 1; }, 15.0));
  const std::uint64_t until_given_up = for_bob;
  match.run_seconds(40.0);
  EXPECT_EQ(for_bob, until_given_up) << "nothing more should be sent to it";
  EXPECT_LT(until_given_up - at_first, at_first) << "deltas should stop earlier";
  expect_ann_is_well(match, ann);
  match.network().set_tap({});
  // When Bob's client runs again, it reconnects.
  ASSERT_TRUE(match.run_until([&] { return match.server().session_count() == 2; }, 30.0));
  ASSERT_TRUE(match.run_until_playing(5.0));
}

}  // namespace
}  // namespace jostle::match
