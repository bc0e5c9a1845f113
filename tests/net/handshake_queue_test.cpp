#include "shared/net/handshake_queue.h"

#include "tests/net/net_fixture.h"

namespace jostle::net {
namespace {

HandshakeQueue::Entry guest(std::uint32_t number, Ip from, std::int64_t asked_us = 0) {
  HandshakeQueue::Digest digest{};
  for (std::size_t i = 0; i < 4; ++i)
    digest[i] = static_cast<std::byte>(number >> (8 * i));
  return {.datagram = {}, .digest = digest, .from = {from, 9}, .asked_us = asked_us};
}

constexpr std::uint32_t crowd = 0x0A010100, elsewhere = 0x0A020201;
std::size_t no_places(Ip) {
  return 0;
}

TEST(HandshakeQueue, ServesClientsInOrderIfNoNetworkHoldsSlots) {
  HandshakeQueue room;
  for (std::uint32_t i = 0; i < 5; ++i)
    ASSERT_TRUE(room.add(guest(i, crowd + i)));
  for (std::uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(room.take_next(no_places)->digest, guest(i, crowd).digest);
  EXPECT_FALSE(room.take_next(no_places).has_value());
}

TEST(HandshakeQueue, ServesTheNetworkWithTheFewestSlotsFirst) {
  HandshakeQueue room;
  for (std::uint32_t i = 0; i < 200; ++i)
    ASSERT_TRUE(room.add(guest(i, crowd + i)));
  ASSERT_TRUE(room.add(guest(999, elsewhere)));
  const auto places = [](Ip network) {
    return network == network_prefix_of(crowd) ? std::size_t{40} : 0;
  };
  EXPECT_EQ(room.take_next(places)->digest, guest(999, elsewhere).digest);
  EXPECT_EQ(room.take_next(places)->digest, guest(0, crowd).digest);
}

TEST(HandshakeQueue, RemovesClientsThatStopAsking) {
  HandshakeQueue room;
  ASSERT_TRUE(room.add(guest(1, crowd)));
  ASSERT_TRUE(room.add(guest(2, crowd)));
  EXPECT_TRUE(room.ask_again(guest(2, crowd).digest, 500'000));
  EXPECT_FALSE(room.ask_again(guest(3, crowd).digest, 500'000));
  room.forget_those_gone(HandshakeQueue::patience_us);
  ASSERT_EQ(room.size(), 1U);
  EXPECT_EQ(room.take_next(no_places)->digest, guest(2, crowd).digest);
}

TEST(HandshakeQueue, WhenFullEvictsFromTheLargestNetwork) {
  HandshakeQueue room;
  for (std::uint32_t i = 0; i < HandshakeQueue::seats; ++i)
    ASSERT_TRUE(room.add(guest(i, crowd + i % 256)));
  EXPECT_FALSE(room.add(guest(5'000, crowd)));
  EXPECT_TRUE(room.add(guest(5'001, elsewhere)));
  EXPECT_EQ(room.size(), HandshakeQueue::seats);
}

TEST(HandshakeQueue, GroupsIpv4By24BitsAndIpv6By48Bits) {
  EXPECT_EQ(network_prefix_of(0x0A010101U), network_prefix_of(0x0A0101FEU));
  EXPECT_NE(network_prefix_of(0x0A010101U), network_prefix_of(0x0A010201U));
  const auto v6 = [](const char* text) { return network_prefix_of(*parse_ip(text)); };
  EXPECT_EQ(v6("2001:db8:7:1::1"), v6("2001:db8:7:ffff::2"));
  EXPECT_NE(v6("2001:db8:7::1"), v6("2001:db8:8::1"));
}

}  // namespace
}  // namespace jostle::net
