#include "shared/host_names/resolve.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::host_names {
namespace {

TEST(Resolve, ReturnsAddressesOfBothFamiliesUnchanged) {
  const auto only = [](const std::string& text) {
    const auto found = resolve(text, 7).value();
    EXPECT_EQ(found.size(), 1U);
    return net::to_string(found.front());
  };
  EXPECT_EQ(only("127.0.0.1"), "127.0.0.1:7");
  EXPECT_EQ(only("::1"), "[::1]:7");
  EXPECT_EQ(only("fe80::1%1"), "[fe80::1%1]:7");
}

TEST(Resolve, ReportsWhatIsWrongWithAnAddress) {
  EXPECT_EQ(resolve("1.2.3", 7).error(), "'1.2.3' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(resolve("::g", 7).error(), "'::g' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(resolve("fe80::1", 7).error(),
            "'fe80::1' is link-local: append the interface, as in fe80::1%eth0");
}

TEST(Resolve, DistinguishesAddressesFromNames) {
  for (const char* text : {"1.2.3", "1.2.3.4", "::1", "fe80::1%1"})
    EXPECT_TRUE(is_ip_text(text)) << text;
  for (const char* text : {"localhost", "1.example.org"})
    EXPECT_FALSE(is_ip_text(text)) << text;
}

TEST(Resolve, ResolvesLocalhost) {
  const auto found = resolve("localhost", 7);
  ASSERT_TRUE(found) << found.error();
  for (const net::Address& each : *found) {
    EXPECT_TRUE(net::is_loopback(each));
    EXPECT_EQ(each.port, 7);
  }
}

TEST(Resolve, ReturnsIpv4AddressesFirstWithoutDuplicates) {
  const net::Ip v4(1U), other_v4(2U), v6 = net::loopback_ip6, other_v6 = *net::parse_ip("::2");
  using Ips = std::vector<net::Ip>;
  EXPECT_EQ(in_order_of_trial(Ips{v6, v4, other_v4, v4, v6}), (Ips{v4, other_v4, v6}));
  EXPECT_EQ(in_order_of_trial(Ips{other_v6, v6}), (Ips{other_v6, v6}));
  EXPECT_TRUE(in_order_of_trial({}).empty());
  Ips many;
  for (std::uint32_t i = 1; i < 100; ++i)
    many.emplace_back(i);
  EXPECT_EQ(in_order_of_trial(many).size(), 6U);
}

TEST(LocalIp, IsTheMostRestrictiveThatReachesAllAddressesOfTheServer) {
  const net::Address loopback{net::loopback_ip, 1}, loopback6{net::loopback_ip6, 1},
      other{*net::parse_ip("10.0.0.1"), 1}, other6{*net::parse_ip("2001:db8::1"), 1};
  const auto local_for = [](std::vector<net::Address> server) { return local_ip_for(server); };
  EXPECT_EQ(local_for({loopback}), net::loopback_ip);
  EXPECT_EQ(local_for({loopback6}), net::loopback_ip6);
  EXPECT_EQ(local_for({loopback, other}), net::any_ip);
  EXPECT_EQ(local_for({other6}), net::any_ip6);
  EXPECT_EQ(local_for({loopback, loopback6}), net::any_ip6);
}

}  // namespace
}  // namespace jostle::host_names
