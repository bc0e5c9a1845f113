#include "tests/net/net_fixture.h"

namespace jostle::net {
namespace {

TEST(EnetTransport, ConnectsAndCarriesMessagesBothWaysInVirtualTime) {
  VirtualMatch match(1);
  match.network.set_default_faults({.latency_us = 25'000});
  connect_one(match);
  const PeerId client = match.server.events[0].peer;
  EXPECT_TRUE(match.clients[0].transport->send(*match.ids[0], Channel::Control, bytes_of("up")));
  EXPECT_TRUE(match.server.transport->send(client, Channel::State, bytes_of("down")));
  match.run(second_us);

  ASSERT_EQ(match.server.received().size(), 1U);
  EXPECT_EQ(text_of(match.server.received()[0].bytes), "up");
  EXPECT_EQ(match.server.received()[0].channel, Channel::Control);
  ASSERT_EQ(match.clients[0].received().size(), 1U);
  EXPECT_EQ(text_of(match.clients[0].received()[0].bytes), "down");
  EXPECT_EQ(match.clients[0].received()[0].channel, Channel::State);
  EXPECT_EQ(match.server.transport->counters().datagrams_refused, 0U);
  EXPECT_EQ(match.clients[0].transport->counters().datagrams_refused, 0U);
  const auto stats = match.server.transport->stats(client);
  ASSERT_TRUE(stats);
  EXPECT_GE(stats->round_trip_us, 50'000U);
  EXPECT_LE(stats->round_trip_us, 120'000U);
}

}  // namespace
}  // namespace jostle::net
