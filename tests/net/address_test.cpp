#include "shared/net/address.h"

#include <gtest/gtest.h>
#include <net/if.h>

#include <string>
#include <vector>

namespace jostle::net {
namespace {

using namespace std::string_literals;

Ip ip_of(const char* text) {
  const std::optional<Ip> ip = parse_ip(text);
  EXPECT_TRUE(ip) << text;
  return ip.value_or(any_ip);
}

/// Returns fe80::1 with this scope.
Ip link_local(std::uint32_t scope) {
  return Ip({0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, scope);
}

TEST(Ip, FormatsAndParsesIpv4) {
  EXPECT_EQ(to_string(Address{.ip = loopback_ip, .port = 7'777}), "127.0.0.1:7777");
  EXPECT_EQ(to_string(Address{.ip = 0xFFFFFFFF, .port = 0}), "255.255.255.255:0");
  EXPECT_EQ(parse_ip("127.0.0.1"), loopback_ip);
  EXPECT_EQ(parse_ip("0.0.0.0"), 0U);
  EXPECT_EQ(parse_ip("10.20.30.255"), 0x0A141EFFU);
}

TEST(Ip, FormatsAndParsesIpv6) {
  EXPECT_EQ(to_string(Address{.ip = loopback_ip6, .port = 7'777}), "[::1]:7777");
  EXPECT_EQ(to_string(Address{.ip = any_ip6, .port = 1}), "[::]:1");
  EXPECT_EQ(to_string(Address{.ip = link_local(2), .port = 7'777}), "[fe80::1%2]:7777");
  EXPECT_EQ(parse_ip("::1"), loopback_ip6);
  EXPECT_EQ(parse_ip("::"), any_ip6);
  EXPECT_EQ(parse_ip("0:0:0:0:0:0:0:1"), loopback_ip6);
  EXPECT_EQ(parse_ip("FE80::1%2"), link_local(2));
  for (const char* text :
       {"2001:db8::8:800:200c:417a", "::1", "::", "fe80::1", "fe80::1%4294967295",
        "2001:db8:1:2:3:4:5:6", "1.2.3.4", "64:ff9b::102:304"}) {
    EXPECT_EQ(to_string(ip_of(text)), text);
  }
}

TEST(Ip, RejectsTextsThatAreNotAddresses) {
  for (const std::string& wrong : {""s,
                                   "127.0.0"s,
                                   "127.0.0.1."s,
                                   "127.0.0.256"s,
                                   "127.0.0.-1"s,
                                   "127.0.0.1 "s,
                                   " 127.0.0.1"s,
                                   "a.b.c.d"s,
                                   "127..0.1"s,
                                   "127.0.0.01"s,
                                   "localhost"s,
                                   "127.0.0.99999999999"s,
                                   "1.2.3.4.5"s,
                                   "0x7f.0.0.1"s,
                                   ":"s,
                                   ":::"s,
                                   "::1::"s,
                                   "1:2:3:4:5:6:7"s,
                                   "1:2:3:4:5:6:7:8:9"s,
                                   "::12345"s,
                                   "::g"s,
                                   " ::1"s,
                                   "::1 "s,
                                   "::1\0"s,
                                   "::1\0x"s,
                                   "[::1]"s,
                                   "::ffff:127.0.0.01"s,
                                   "::ffff:127.0.0.256"s,
                                   "::1/128"s,
                                   std::string(1'000, ':'),
                                   "127.0.0.1%1"s,
                                   "%1"s}) {
    EXPECT_FALSE(parse_ip(wrong)) << wrong;
  }
}

TEST(Ip, AcceptsAScopeOnlyOnLinkLocalAddresses) {
  // Linux names its loopback interface "lo" and gives it the index 1.
  if (::if_nametoindex("lo") == 1) {
    EXPECT_EQ(parse_ip("fe80::1%lo"), link_local(1));
  }
  for (const std::string& wrong :
       {"fe80::1%"s, "fe80::1%0"s, "fe80::1%4294967296"s, "fe80::1%-1"s, "fe80::1%no_such_one"s,
        "fe80::1%1%2"s, "fe80::1%lo\0"s, "fe80::1%"s + std::string(1'000, 'x'), "::1%1"s,
        "2001:db8::1%1"s, "::ffff:127.0.0.1%1"s}) {
    EXPECT_FALSE(parse_ip(wrong)) << wrong;
  }
  EXPECT_NE(link_local(1), link_local(2));
  EXPECT_NE(link_local(1), link_local(0));
  EXPECT_EQ(Ip(loopback_ip6.bytes(), 7), loopback_ip6);
}

TEST(Ip, NormalisesIpv4MappedAddresses) {
  const Ip mapped({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1});
  EXPECT_EQ(mapped, Ip(0x0A000001U));
  EXPECT_TRUE(mapped.is_v4());
  EXPECT_EQ(mapped.v4(), 0x0A000001U);
  EXPECT_EQ(to_string(mapped), "10.0.0.1");
  EXPECT_EQ(parse_ip("::ffff:10.0.0.1"), mapped);
  EXPECT_EQ(parse_ip("::ffff:a00:1"), mapped);
  EXPECT_EQ(Ip(mapped.bytes()), mapped);
  EXPECT_FALSE(ip_of("::10.0.0.1").is_v4());
  EXPECT_FALSE(ip_of("1::ffff:10.0.0.1").is_v4());
}

TEST(Ip, OrdersAddressesNumerically) {
  // IPv4 addresses are ordered as 32-bit numbers whose most significant byte is the first byte of
  // the address.
  EXPECT_LT(Ip(0x01FFFFFFU), Ip(0x02000000U));
  EXPECT_LT(Ip(0x7FFFFFFFU), Ip(0x80000000U));
  EXPECT_LT(ip_of("2001:db8::1"), ip_of("2001:db8::2"));
  EXPECT_LT(ip_of("2001:db8::ffff:ffff:ffff:ffff"), ip_of("2001:db9::"));
  EXPECT_LT((Address{1U, 65'535}), (Address{2U, 0}));
}

TEST(Ip, ClassifiesLoopbackAnyAndLinkLocalAddresses) {
  for (const char* text : {"127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.2"})
    EXPECT_TRUE(is_loopback({ip_of(text), 1})) << text;
  for (const char* text :
       {"126.255.255.255", "128.0.0.0", "0.0.0.0", "::", "::2", "1::1", "::127.0.0.1", "fe80::1"}) {
    EXPECT_FALSE(is_loopback({ip_of(text), 1})) << text;
  }
  EXPECT_TRUE(any_ip.is_any() && any_ip6.is_any() && Ip().is_any());
  EXPECT_FALSE(loopback_ip.is_any() || loopback_ip6.is_any());
  EXPECT_NE(any_ip, any_ip6);
  for (const char* text : {"fe80::", "febf:ffff::1"})
    EXPECT_TRUE(ip_of(text).is_link_local()) << text;
  for (const char* text : {"fec0::", "fe7f::1", "254.128.0.1"})
    EXPECT_FALSE(ip_of(text).is_link_local()) << text;
}

TEST(Ip, AnyIpv6ReachesBothFamiliesAndOthersTheirOwn) {
  const Ip v6 = ip_of("2001:db8::1");
  EXPECT_TRUE(can_reach(any_ip, loopback_ip) && can_reach(loopback_ip, 1U));
  EXPECT_TRUE(can_reach(v6, loopback_ip6) && can_reach(any_ip6, v6) && can_reach(any_ip6, 1U));
  EXPECT_FALSE(can_reach(any_ip, v6) || can_reach(v6, 1U) || can_reach(loopback_ip6, loopback_ip));
}

TEST(Ip, ErrorsSayWhatIsWrong) {
  for (const char* good : {"127.0.0.1", "::", "::1", "2001:db8::1", "fe80::1%1"})
    EXPECT_EQ(ip_fault(good), "");
  EXPECT_EQ(ip_fault("300.1.1.1"), "'300.1.1.1' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(ip_fault("::1%1"), "'::1%1' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(ip_fault("fe80::1"),
            "'fe80::1' is link-local: append the interface, as in fe80::1%eth0");
  EXPECT_EQ(ip_fault("fe80::1%nothere"),
            "'fe80::1%nothere': this machine has no interface 'nothere'");
}

TEST(Endpoint, SplitsHostAndPort) {
  const auto split = [](const std::string& text) {
    const auto parts = split_host_and_port(text);
    return !parts        ? "none"s
           : parts->port ? parts->host + " " + std::to_string(*parts->port)
                         : parts->host;
  };
  EXPECT_EQ(split("example.org"), "example.org");
  EXPECT_EQ(split("example.org:9000"), "example.org 9000");
  EXPECT_EQ(split("127.0.0.1:0"), "127.0.0.1 0");
  EXPECT_EQ(split("[::1]:7777"), "::1 7777");
  EXPECT_EQ(split("[::1]"), "::1");
  EXPECT_EQ(split("::1"), "::1");
  // Without brackets, the number after the last colon is a part of the address, as in other
  // programs.
  EXPECT_EQ(split("::1:7777"), "::1:7777");
  EXPECT_EQ(split("[fe80::1%2]:7777"), "fe80::1%2 7777");
  for (const char* wrong :
       {"",          ":",          ":7777",    "host:",    "host:x",    "host:-1",
        "host:+1",   "host:65536", "host:1 ",  "a:b:1",    "::1:77777", "[::1",
        "[::1]7777", "[::1]:",     "[::1]:x",  "[]:1",     "[host]:1",  "[127.0.0.1]:1",
        "[::g]:1",   "[",          "[::1]]:1", "[[::1]]:1"}) {
    EXPECT_EQ(split(wrong), "none") << wrong;
  }
}

TEST(Endpoint, ParsesOrReportsTheError) {
  EXPECT_EQ(parse_endpoint("127.0.0.1:7777").value(), (Address{loopback_ip, 7'777}));
  EXPECT_EQ(parse_endpoint("[::1]:7777").value(), (Address{loopback_ip6, 7'777}));
  EXPECT_EQ(parse_endpoint("[fe80::1%2]:0").value(), (Address{link_local(2), 0}));
  EXPECT_EQ(parse_endpoint("::1").error(), "'::1' has no port: write [::1]:7777, for example");
  EXPECT_EQ(parse_endpoint("127.0.0.1").error(),
            "'127.0.0.1' has no port: write 127.0.0.1:7777, for example");
  EXPECT_EQ(parse_endpoint("nowhere:1").error(),
            "'nowhere:1': 'nowhere' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(parse_endpoint("nowhere").error(), "'nowhere' is neither an IPv4 nor an IPv6 address");
  EXPECT_EQ(
      parse_endpoint("[::1]:x").error(),
      "'[::1]:x' is not an IPv4 or IPv6 address with a port, such as 127.0.0.1:7777 or [::1]:7777");
  EXPECT_NE(parse_endpoint("[fe80::1]:7").error().find("link-local"), std::string::npos);
}

TEST(Endpoint, ParsesWhatItFormats) {
  for (const Ip ip : {any_ip, any_ip6, loopback_ip, loopback_ip6, ip_of("2001:db8::1"),
                      link_local(3), Ip(0xFFFFFFFFU)}) {
    const Address address{ip, 7'777};
    EXPECT_EQ(parse_endpoint(to_string(address)).value(), address);
  }
}

}  // namespace
}  // namespace jostle::net
