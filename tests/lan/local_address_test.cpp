#include "shared/lan/local_address.h"

#include <gtest/gtest.h>

namespace jostle::lan {
namespace {

TEST(Neighbourhood, RecognisesLocalAddresses) {
  for (const char* text :
       {"127.0.0.1", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1",
        "169.254.1.1", "::1", "fe80::1", "febf::1", "fc00::1", "fdff::1"})
    EXPECT_TRUE(is_local(*net::parse_ip(text))) << text;
  for (const char* text :
       {"0.0.0.0", "9.255.255.255", "11.0.0.1", "172.15.255.255", "172.32.0.1", "192.167.0.1",
        "192.169.0.1", "169.253.1.1", "8.8.8.8", "255.255.255.255", "::", "2001:db8::1", "fec0::1",
        "fe00::1", "fb00::1", "ff12::1"})
    EXPECT_FALSE(is_local(*net::parse_ip(text))) << text;
}

TEST(Neighbourhood, TheDiscoveryGroupIsLinkLocal) {
  EXPECT_TRUE(discovery_group.is_link_local_group());
  EXPECT_EQ(net::to_string(net::Ip(discovery_group.bytes(), 3)), "ff12::6a6f:7374:6c65%3");
  EXPECT_FALSE(net::parse_ip("ff05::1")->is_link_local_group());
  EXPECT_FALSE(net::parse_ip("fe82::1")->is_link_local_group());
}

}  // namespace
}  // namespace jostle::lan
