#include "shared/http/host_check.h"

#include <gtest/gtest.h>

namespace jostle::http {
namespace {

const HostCheck::Options example{.hosts = {"play.example.org"},
                                 .origins = {"https://friend.example", "http://localhost:*"}};

TEST(HostCheck, AcceptsThisMachineAndListedNamesOnly) {
  const HostCheck check(example);
  for (const char* const host :
       {"localhost", "localhost:7780", "LOCALHOST:1", "a.localhost", "127.0.0.1:7780", "[::1]:7780",
        "[::1]", "192.168.1.4:80", "play.example.org", "PLAY.example.org:443"})
    EXPECT_TRUE(check.accepts_host(host)) << host;
  for (const char* const host :
       {"", "evil.example", "evil.example:7780", "play.example.org.evil.example",
        "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", "[::1", "[::1]x",
        "localhost:*", ":7780", "notlocalhost"})
    EXPECT_FALSE(check.accepts_host(host)) << host;
}

TEST(HostCheck, AcceptsTheOwnOriginAndListedOrigins) {
  const HostCheck check(example);
  EXPECT_TRUE(check.accepts_origin("http://127.0.0.1:7780", "127.0.0.1:7780"));
  EXPECT_TRUE(check.accepts_origin("http://[::1]:7780", "[::1]:7780"));
  EXPECT_TRUE(check.accepts_origin("https://friend.example", "127.0.0.1:7780"));
  EXPECT_TRUE(check.accepts_origin("http://localhost:8888", "127.0.0.1:7780"));
  // behind a proxy that ends TLS
  EXPECT_TRUE(check.accepts_origin("https://play.example.org", "play.example.org"));
  EXPECT_TRUE(check.accepts_origin("http://play.example.org", "play.example.org"));
}

TEST(HostCheck, RefusesForeignOrigins) {
  const HostCheck check(example);
  for (const char* const origin :
       {"", "https://evil.example", "http://127.0.0.1:7781", "http://127.0.0.1", "null",
        "http://friend.example", "https://friend.example:444",
        "https://friend.example.evil.example", "http://localhost:*", "file://", "127.0.0.1:7780",
        "https://localhost:8888"})
    EXPECT_FALSE(check.accepts_origin(origin, "127.0.0.1:7780")) << origin;
  EXPECT_FALSE(check.accepts_origin("https://play.example.org:444", "play.example.org"));
}

TEST(HostCheck, ExplainsOptionsThatAreNoOriginOrName) {
  EXPECT_EQ(origin_fault("https://example.org"), "");
  EXPECT_EQ(origin_fault("http://localhost:*"), "");
  for (const char* const text : {"example.org", "ftp://example.org", "https://", "https://a/b",
                                 "https://a; script-src *", ""})
    EXPECT_NE(origin_fault(text), "") << text;
  EXPECT_EQ(host_name_fault("play.example.org"), "");
  for (const char* const text : {"", "a:80", "https://a", "a b"})
    EXPECT_NE(host_name_fault(text), "") << text;
}

TEST(ClientAddress, BelievesOnlyTrustedProxies) {
  const net::Address proxy{net::loopback_ip, 4'000}, other{*net::parse_ip("10.1.1.1"), 5'000};
  const std::vector<net::Ip> trusted{net::loopback_ip, *net::parse_ip("10.0.0.2")};
  const auto text = [&](net::Address socket, const char* header) {
    return net::to_string(client_address(socket, header, trusted).ip);
  };
  EXPECT_EQ(text(proxy, "203.0.113.7"), "203.0.113.7");
  EXPECT_EQ(text(proxy, "1.2.3.4, 203.0.113.7"), "203.0.113.7");  // the first part is a claim
  EXPECT_EQ(text(proxy, "203.0.113.7, 10.0.0.2"), "203.0.113.7");
  EXPECT_EQ(text(proxy, "2001:db8::1"), "2001:db8::1");
  EXPECT_EQ(text(proxy, ""), "127.0.0.1");
  EXPECT_EQ(text(proxy, "nonsense"), "127.0.0.1");
  EXPECT_EQ(text(other, "203.0.113.7"), "10.1.1.1");
}

}  // namespace
}  // namespace jostle::http
