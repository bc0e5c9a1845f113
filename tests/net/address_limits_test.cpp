#include "shared/net/address_limits.h"

#include "tests/net/net_fixture.h"

namespace jostle::net {
namespace {

Ip ip(const char* text) {
  return *parse_ip(text);
}

TEST(AddressLimits, AnIpv6PrefixOf64BitsSharesOneBudget) {
  AddressLimits limits({.exchanges_per_second = 1, .exchange_burst = 3});
  EXPECT_TRUE(limits.take_exchange(ip("2001:db8:1:2::1"), 0));
  EXPECT_TRUE(limits.take_exchange(ip("2001:db8:1:2::2"), 0));
  EXPECT_TRUE(limits.take_exchange(ip("2001:db8:1:2:ffff::3"), 0));
  EXPECT_FALSE(limits.take_exchange(ip("2001:db8:1:2::4"), 0));
  EXPECT_TRUE(limits.take_exchange(ip("2001:db8:1:3::1"), 0)) << "another prefix";
  EXPECT_TRUE(limits.take_exchange(ip("2001:db8:1:2::4"), second_us));
}

TEST(AddressLimits, ABanCoversAnIpv6PrefixOf64Bits) {
  AddressLimits limits({});
  limits.ban(ip("2001:db8:1:2::1"), 10);
  EXPECT_TRUE(limits.is_banned(ip("2001:db8:1:2::77"), 9));
  EXPECT_FALSE(limits.is_banned(ip("2001:db8:1:3::1"), 9));
  EXPECT_FALSE(limits.is_banned(ip("2001:db8:1:2::1"), 10));
}

TEST(AddressLimits, EachIpv4AddressHasItsOwnBudgetAndBan) {
  AddressLimits limits({.exchanges_per_second = 1, .exchange_burst = 1});
  EXPECT_TRUE(limits.take_exchange(0x0A000001, 0));
  EXPECT_FALSE(limits.take_exchange(0x0A000001, 0));
  EXPECT_TRUE(limits.take_exchange(0x0A000002, 0));
  limits.ban(0x0A000001, 10);
  EXPECT_FALSE(limits.is_banned(0x0A000002, 0));
}

TEST(AddressLimits, DoNotApplyToLoopback) {
  AddressLimits limits({.exchanges_per_second = 1, .exchange_burst = 1});
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(limits.take_exchange(ip("::1"), 0));
  limits.ban(ip("127.0.0.1"), 10);
  EXPECT_FALSE(limits.is_banned(ip("127.0.0.1"), 0));
}

}  // namespace
}  // namespace jostle::net
