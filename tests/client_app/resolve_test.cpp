#include "client/app/resolve.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::client_app {
namespace {

TEST(Resolve, TakesAddressesOfBothFamiliesAsTheyAre) {
  EXPECT_EQ(resolve("127.0.0.1", 7).value(), (net::Address{net::loopback_ip, 7}));
  EXPECT_EQ(resolve("::1", 7).value(), (net::Address{net::loopback_ip6, 7}));
  EXPECT_EQ(net::to_string(resolve("fe80::1%1", 7).value()), "[fe80::1%1]:7");
}

TEST(Resolve, SaysWhatIsWrongWithAnAddress) {
  EXPECT_EQ(resolve("1.2.3", 7).error(), "'1.2.3' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(resolve("::g", 7).error(), "'::g' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(resolve("fe80::1", 7).error(),
            "'fe80::1' is link-local: it needs the interface behind it, as in fe80::1%eth0");
}

TEST(Resolve, FindsThisMachineByItsName) {
  const auto found = resolve("localhost", 7);
  ASSERT_TRUE(found) << found.error();
  EXPECT_TRUE(net::is_loopback(*found));
  EXPECT_EQ(found->port, 7);
}

TEST(Resolve, ChoosesTheFirstIpv4AddressElseTheFirst) {
  const net::Ip v4(1U), other_v4(2U), v6 = net::loopback_ip6, other_v6 = *net::parse_ip("::2");
  EXPECT_EQ(choose_ip(std::vector{v6, v4, other_v4}), v4);
  EXPECT_EQ(choose_ip(std::vector{other_v4, v6, v4}), other_v4);
  EXPECT_EQ(choose_ip(std::vector{other_v6, v6}), other_v6);
  EXPECT_FALSE(choose_ip({}));
}

}  // namespace
}  // namespace jostle::client_app
