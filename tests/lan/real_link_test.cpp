// Tests through the kernel, on this machine's own links: broadcast addresses, and a port that
// several servers share.
#include "shared/lan/local_address.h"
#include "shared/lan/responder.h"
#include "shared/lan/search.h"
#include "shared/net/link_socket.h"
#include "shared/net/system_io.h"
#include "tests/lan/sample_server_info.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace jostle::lan {
namespace {

constexpr net::Ip loopback_broadcast{0x7FFFFFFFU};

std::vector<net::Address> everybody(std::uint16_t port) {
  std::vector<net::Address> all;
  for (const net::Ip ip : net::everybody_on_links(discovery_group))
    all.push_back({ip, port});
  return all;
}

/// Returns a free port of this machine, so that the test does not meet real servers.
std::uint16_t free_port() {
  net::SystemIo io;
  return (*io.open_datagram_socket({net::any_ip, 0}))->local_address().port;
}

void wait_a_moment() {
  (void)::poll(nullptr, 0, 1);
}

TEST(RealLink, ListsTheLoopbackBroadcast) {
  const auto ways = net::everybody_on_links(discovery_group);
  EXPECT_NE(std::ranges::find(ways, loopback_broadcast), ways.end());
  for (const net::Ip way : ways)
    EXPECT_TRUE(way.is_v4() || way.scope() != 0) << net::to_string(way);
}

TEST(RealLink, CannotShareAnExclusivePort) {
  net::SystemIo io;
  const auto owner = *io.open_datagram_socket({net::any_ip6, 0});
  const auto shared = net::open_link_socket(owner->local_address().port, discovery_group);
  ASSERT_FALSE(shared);
  EXPECT_EQ(shared.error(), net::IoError::AddressInUse);
}

// Maximum time to wait, in µs. It is far longer than a busy machine takes.
constexpr std::int64_t patience_us = 300'000'000;

TEST(RealLink, FindsAllServersOfOneMachine) {
  net::SystemIo io;
  const std::uint16_t port = free_port();
  struct Server {
    std::unique_ptr<net::DatagramSocket> socket;
    DiscoveryServer responder;
    ServerInfo facts;
  };
  std::vector<Server> servers;
  for (int i = 0; i < 3; ++i) {
    auto socket = net::open_link_socket(port, discovery_group);
    ASSERT_TRUE(socket) << net::describe(socket.error());
    servers.push_back({*std::move(socket), DiscoveryServer(static_cast<std::uint64_t>(i)),
                       sample_server_info("server " + std::to_string(i))});
  }
  DiscoveryClient search(io, *net::open_link_socket(0, discovery_group),
                         [&] { return everybody(port); });
  const std::int64_t end_us = io.now_us() + patience_us;
  while (search.servers().size() < servers.size() && io.now_us() < end_us) {
    search.update();
    for (Server& server : servers)
      server.responder.serve(
          *server.socket, [&] { return server.facts; }, io.now_us());
    wait_a_moment();
  }
  std::vector<std::string> names;
  for (const DiscoveredServer& server : search.servers()) {
    names.push_back(server.facts.name);
    EXPECT_EQ(server.address, (net::Address{net::loopback_ip, 7777}));
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"server 0", "server 1", "server 2"}));
}

// A probe that is sent to the multicast group must reach a socket that has joined the group.
TEST(RealLink, TheMulticastGroupReachesItsMembers) {
  const auto ways = net::everybody_on_links(discovery_group);
  const auto way = std::ranges::find_if(ways, [](net::Ip ip) { return !ip.is_v4(); });
  if (way == ways.end()) GTEST_SKIP() << "no interface has a link-local address";
  net::SystemIo io;
  const std::uint16_t port = free_port();
  const auto listener = *net::open_link_socket(port, discovery_group);
  const auto asker = *net::open_link_socket(0, discovery_group);
  ASSERT_TRUE(asker->send({*way, port}, encode(DiscoveryRequest{.nonce = 5})));
  std::array<std::byte, probe_bytes> buffer{};
  const std::int64_t end_us = io.now_us() + patience_us;
  auto received = listener->receive(buffer);
  for (; !received && io.now_us() < end_us; received = listener->receive(buffer))
    wait_a_moment();
  ASSERT_TRUE(received);
  EXPECT_TRUE(is_local(received->from.ip)) << net::to_string(received->from);
  EXPECT_TRUE(decode_probe(buffer));
}

}  // namespace
}  // namespace jostle::lan
