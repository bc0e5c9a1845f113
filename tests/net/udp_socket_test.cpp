#include "shared/net/io.h"
#include "shared/net/system_io.h"
#include "tests/net/net_fixture.h"

#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Tests of SystemIo's sockets.

namespace jostle::net {
namespace {

bool has_ipv6() {
  return SystemIo().open_datagram_socket({.ip = loopback_ip6, .port = 0}).has_value();
}

/// Returns a link-local address of this machine with its scope, or nullopt if there is none.
std::optional<Ip> link_local_address() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET6) continue;
    sockaddr_in6 found{};
    std::memcpy(&found, at->ifa_addr, sizeof(found));
    Ip::Bytes bytes{};
    std::memcpy(bytes.data(), &found.sin6_addr, bytes.size());
    const Ip ip(bytes, found.sin6_scope_id);
    if (ip.is_link_local()) return ip;
  }
  return std::nullopt;
}

TEST(SystemIo, ReportsWhyASocketCannotBeOpened) {
  SystemIo io;
  auto first = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(first);
  const Address taken = (*first)->local_address();
  EXPECT_NE(taken.port, 0);
  auto second = io.open_datagram_socket(taken);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), IoError::AddressInUse);
  // The address is one for documentation (RFC 5737), which belongs to no machine.
  auto foreign = io.open_datagram_socket({.ip = 0xC0000201, .port = 0});
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error(), IoError::AddressUnavailable);
}

TEST(SystemIo, CarriesDatagramsWithoutBlocking) {
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b);
  std::vector<std::byte> buffer(8);
  EXPECT_FALSE((*b)->receive(buffer));
  EXPECT_GE((*b)->native_handle(), 0);
  EXPECT_TRUE((*a)->send((*b)->local_address(), bytes_of("0123456789")));
  EXPECT_TRUE((*a)->send((*b)->local_address(), {}));
  EXPECT_TRUE((*a)->send((*b)->local_address(), bytes_of("abc")));
  const auto first = (*b)->receive(buffer);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->is_truncated);
  EXPECT_EQ(first->bytes, 8U);
  EXPECT_EQ(first->from, (*a)->local_address());
  const auto empty = (*b)->receive(buffer);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->bytes, 0U);
  const auto third = (*b)->receive(buffer);
  ASSERT_TRUE(third);
  EXPECT_FALSE(third->is_truncated);
  EXPECT_EQ(third->bytes, 3U);
  EXPECT_FALSE((*b)->receive(buffer));
  // Datagrams that are larger than UDP allows or go to port 0 cannot be sent.
  EXPECT_FALSE((*a)->send((*b)->local_address(), std::vector<std::byte>(70'000)));
  EXPECT_FALSE((*a)->send({.ip = loopback_ip, .port = 0}, bytes_of("x")));
}

/// Returns a datagram with the decimal digits of `i`.
std::vector<std::byte> numbered(int i) {
  return bytes_of(std::to_string(i));
}

TEST(SystemIo, SendsQueuedDatagramsInOrderWithFewSystemCalls) {
  constexpr int count = 200;
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b);
  EXPECT_TRUE((*a)->queue((*b)->local_address(), numbered(0)));
  std::vector<std::byte> buffer(100);
  EXPECT_FALSE((*b)->receive(buffer));
  for (int i = 1; i < count; ++i)
    EXPECT_TRUE((*a)->queue((*b)->local_address(), numbered(i)));
  EXPECT_EQ((*a)->flush(), 0U);
  for (int i = 0; i < count; ++i) {
    const auto received = (*b)->receive(buffer);
    ASSERT_TRUE(received) << i;
    EXPECT_EQ(received->from, (*a)->local_address());
    buffer.resize(received->bytes);
    EXPECT_EQ(buffer, numbered(i));
    buffer.resize(100);
  }
  EXPECT_FALSE((*b)->receive(buffer));
  EXPECT_LT((*a)->calls().sends, 20U);
  EXPECT_LT((*b)->calls().receives, 20U);
}

/// Returns a datagram of `bytes` bytes that begins with the byte `i`.
std::vector<std::byte> sized(int i, std::size_t bytes) {
  std::vector<std::byte> made(bytes, std::byte{0});
  if (bytes > 0) made[0] = static_cast<std::byte>(i);
  return made;
}

/// Returns all datagrams that have arrived.
std::vector<std::vector<std::byte>> receive_all(DatagramSocket& socket) {
  std::vector<std::vector<std::byte>> received;
  std::vector<std::byte> buffer(2'000);
  while (const auto datagram = socket.receive(buffer)) {
    EXPECT_FALSE(datagram->is_truncated);
    received.emplace_back(buffer.begin(),
                          buffer.begin() + static_cast<std::ptrdiff_t>(datagram->bytes));
  }
  return received;
}

TEST(SystemIo, JoinsEqualSizedDatagramsAndKeepsTheOrderPerAddress) {
  constexpr std::array<std::size_t, 14> sizes{900, 900, 900, 20,  900, 900, 0,
                                              0,   1,   900, 901, 900, 900, 900};
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto c = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b && c);
  std::vector<std::vector<std::byte>> sent;
  for (const std::size_t bytes : sizes) {
    sent.push_back(sized(static_cast<int>(sent.size()), bytes));
    EXPECT_TRUE((*a)->queue((*b)->local_address(), sent.back()));
    EXPECT_TRUE((*a)->queue((*c)->local_address(), sent.back()));
  }
  EXPECT_EQ((*a)->flush(), 0U);
  EXPECT_EQ(receive_all(**b), sent);
  EXPECT_EQ(receive_all(**c), sent);
  EXPECT_EQ((*a)->calls().sends, 1U);
  // If the kernel supports UDP segmentation offload, each receiver gets eight messages. They
  // contain these datagrams: 900 900 900 20, 900 900, 0, 0, 1, 900, 901 900, and 900 900 bytes.
  const std::uint64_t messages = (*a)->calls().messages;
  EXPECT_TRUE(messages == 2 * 8 || messages == 2 * sizes.size()) << messages;
}

TEST(SystemIo, SendsMoreThanABatchOfEqualSizedDatagrams) {
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b);
  std::vector<std::vector<std::byte>> sent;
  for (int i = 0; i < 150; ++i) {
    sent.push_back(sized(i, 1'200));
    EXPECT_TRUE((*a)->queue((*b)->local_address(), sent.back()));
  }
  EXPECT_EQ((*a)->flush(), 0U);
  EXPECT_EQ(receive_all(**b), sent);
}

TEST(SystemIo, CountsRejectedDatagramsOfAJoinedMessageAndSendsTheRest) {
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE((*a)->queue({.ip = loopback_ip, .port = 0}, sized(i, 100)));
    EXPECT_TRUE((*a)->queue((*b)->local_address(), sized(i, 100)));
  }
  EXPECT_EQ((*a)->flush(), 3U);
  EXPECT_EQ(receive_all(**b).size(), 3U);
}

TEST(SystemIo, CountsRejectedQueuedDatagramsAndSendsTheRest) {
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b);
  // Queue datagrams that are larger than UDP allows or go to port 0, and valid ones between and
  // after them.
  EXPECT_TRUE((*a)->queue((*b)->local_address(), std::vector<std::byte>(70'000)));
  EXPECT_TRUE((*a)->queue((*b)->local_address(), bytes_of("one")));
  EXPECT_TRUE((*a)->queue({.ip = loopback_ip, .port = 0}, bytes_of("x")));
  EXPECT_TRUE((*a)->queue((*b)->local_address(), bytes_of("a longer two")));
  EXPECT_EQ((*a)->flush(), 2U);
  EXPECT_EQ((*a)->flush(), 0U);
  std::vector<std::byte> buffer(3);
  const auto first = (*b)->receive(buffer);
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->is_truncated);
  EXPECT_EQ(buffer, bytes_of("one"));
  const auto second = (*b)->receive(buffer);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->is_truncated);
  EXPECT_EQ(buffer, bytes_of("a l"));
  EXPECT_FALSE((*b)->receive(buffer));
}

TEST(SystemIo, StillReceivesAfterSendingToAClosedPort) {
  SystemIo io;
  auto a = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  auto gone = io.open_datagram_socket({.ip = loopback_ip, .port = 0});
  ASSERT_TRUE(a && b && gone);
  const Address closed = (*gone)->local_address();
  gone = IoError::Unknown;
  for (int i = 0; i < 5; ++i)
    (void)(*a)->send(closed, bytes_of("x"));
  EXPECT_TRUE((*b)->send((*a)->local_address(), bytes_of("y")));
  std::vector<std::byte> buffer(8);
  EXPECT_TRUE((*a)->receive(buffer));
}

TEST(SystemIo, CarriesDatagramsOverIpv6) {
  SystemIo io;
  if (!has_ipv6()) GTEST_SKIP() << "::1 cannot be bound: this machine has no IPv6";
  auto a = io.open_datagram_socket({.ip = loopback_ip6, .port = 0});
  auto b = io.open_datagram_socket({.ip = loopback_ip6, .port = 0});
  ASSERT_TRUE(a && b);
  const Address to = (*b)->local_address();
  EXPECT_EQ(to.ip, loopback_ip6);
  EXPECT_NE(to.port, 0);
  EXPECT_EQ(io.open_datagram_socket(to).error(), IoError::AddressInUse);
  // The address is one for documentation (RFC 3849), which belongs to no machine.
  EXPECT_EQ(io.open_datagram_socket({*parse_ip("2001:db8::1"), 0}).error(),
            IoError::AddressUnavailable);
  EXPECT_TRUE((*a)->send(to, bytes_of("sent")));
  EXPECT_TRUE((*a)->queue(to, bytes_of("queued")));
  EXPECT_EQ((*a)->flush(), 0U);
  for (const char* text : {"sent", "queued"}) {
    Address from;
    EXPECT_EQ(next_text(**b, from), text);
    EXPECT_EQ(from, (*a)->local_address());
  }
}

TEST(SystemIo, ASocketRejectsAddressesOfTheOtherFamily) {
  SystemIo io;
  auto v4 = io.open_datagram_socket({.ip = any_ip, .port = 0});
  ASSERT_TRUE(v4);
  const Address v6_port{.ip = loopback_ip6, .port = 9}, v4_port{.ip = loopback_ip, .port = 9};
  EXPECT_FALSE((*v4)->send(v6_port, bytes_of("x")));
  EXPECT_FALSE((*v4)->queue(v6_port, bytes_of("x")));
  EXPECT_EQ((*v4)->flush(), 0U);
  if (!has_ipv6()) GTEST_SKIP() << "::1 cannot be bound: this machine has no IPv6";
  auto v6 = io.open_datagram_socket({.ip = loopback_ip6, .port = 0});
  ASSERT_TRUE(v6);
  EXPECT_FALSE((*v6)->send(v4_port, bytes_of("x")));
  EXPECT_FALSE((*v6)->queue(v4_port, bytes_of("x")));
}

TEST(SystemIo, ASocketAtAnyIpv6IsDualStack) {
  SystemIo io;
  if (!has_ipv6()) GTEST_SKIP() << "::1 cannot be bound: this machine has no IPv6";
  auto both = io.open_datagram_socket({.ip = any_ip6, .port = 0});
  ASSERT_TRUE(both);
  EXPECT_EQ((*both)->local_address().ip, any_ip6);
  const std::uint16_t port = (*both)->local_address().port;
  for (const Ip ip : {loopback_ip, loopback_ip6}) {
    SCOPED_TRACE(to_string(ip));
    auto other = io.open_datagram_socket({.ip = ip, .port = 0});
    ASSERT_TRUE(other);
    EXPECT_TRUE((*other)->send({.ip = ip, .port = port}, bytes_of("there")));
    Address from;
    EXPECT_EQ(next_text(**both, from), "there");
    // A dual-stack socket reports the address of an IPv4 peer as an IPv4 address.
    EXPECT_EQ(from, (*other)->local_address());
    EXPECT_TRUE((*both)->send(from, bytes_of("sent")));
    EXPECT_TRUE((*both)->queue(from, bytes_of("queued")));
    EXPECT_EQ((*both)->flush(), 0U);
    for (const char* text : {"sent", "queued"}) {
      EXPECT_EQ(next_text(**other, from), text);
      EXPECT_EQ(from, (Address{.ip = ip, .port = port}));
    }
  }
}

TEST(SystemIo, ReachesALinkLocalAddressThroughItsInterface) {
  const auto address = link_local_address();
  if (!address) GTEST_SKIP() << "no interface of this machine has a link-local address";
  SystemIo io;
  auto there = io.open_datagram_socket({.ip = *address, .port = 0});
  auto here = io.open_datagram_socket({.ip = any_ip6, .port = 0});
  ASSERT_TRUE(there && here) << to_string(*address);
  EXPECT_EQ((*there)->local_address().ip, *address);
  EXPECT_TRUE((*here)->send((*there)->local_address(), bytes_of("near")));
  Address from;
  EXPECT_EQ(next_text(**there, from), "near");
  EXPECT_EQ(from, (Address{*address, (*here)->local_address().port}));
}

}  // namespace
}  // namespace jostle::net
