#include "shared/lan/search.h"

#include "shared/lan/local_address.h"
#include "shared/lan/responder.h"
#include "shared/net/virtual_network.h"
#include "tests/lan/sample_server_info.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::lan {
namespace {

constexpr net::Ip seeker{0xC0A80002}, first{0xC0A80010}, second{0xC0A80011};  // 192.168.0.x

/// A machine with a server, and the server's description.
struct Host {
  Host(net::VirtualNetwork& network, net::Ip ip, std::uint64_t instance, std::string name)
      : node(network.node(ip)),
        socket(*node.open_datagram_socket({net::any_ip, discovery_port})),
        responder(instance),
        facts(sample_server_info(name)) {}
  void serve() {
    responder.serve(
        *socket, [this] { return facts; }, node.now_us());
  }

  net::VirtualNode& node;
  std::unique_ptr<net::DatagramSocket> socket;
  DiscoveryServer responder;
  ServerInfo facts;
};

class LanSearch : public testing::Test {
 protected:
  void add(net::Ip ip, const std::string& name) {
    hosts.push_back(std::make_unique<Host>(network, ip, hosts.size() + 1, name));
  }
  void begin() {
    net::VirtualNode& node = network.node(seeker);
    search.emplace(node, *node.open_datagram_socket({net::any_ip, 0}), [this] {
      std::vector<net::Address> all;
      for (const auto& host : hosts)
        all.push_back({host->node.ip(), discovery_port});
      return all;
    });
  }
  void play(double seconds) {
    constexpr std::int64_t step_us = 5'000;
    const auto end_us = network.now_us() + static_cast<std::int64_t>(seconds * 1e6);
    while (network.now_us() < end_us) {
      search->update();
      for (const auto& host : hosts)
        if (host->socket) host->serve();
      network.advance(step_us);
    }
    search->update();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const DiscoveredServer& server : search->servers())
      found.push_back(server.facts.name);
    return found;
  }

  net::VirtualNetwork network{7};
  std::vector<std::unique_ptr<Host>> hosts;
  std::optional<DiscoveryClient> search;
};

TEST_F(LanSearch, ListsServersWithTheirGameAddresses) {
  network.set_default_faults({.latency_us = 10'000});
  add(first, "one");
  add(second, "two");
  hosts[1]->facts.port = 9'000;
  begin();
  play(0.1);
  ASSERT_EQ(names(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(search->servers()[0].address, (net::Address{first, 7777}));
  EXPECT_EQ(search->servers()[1].address, (net::Address{second, 9'000}));
  EXPECT_NEAR(search->servers()[0].round_trip_ms, 20, 11);  // each end polls every 5 ms
}

TEST_F(LanSearch, RepeatsItsQuestionSoThatLossAndChangesAreHandled) {
  network.set_default_faults({.loss = 0.5F});
  add(first, "one");
  begin();
  play(20);
  ASSERT_EQ(names(), std::vector<std::string>{"one"});
  network.heal();
  hosts[0]->facts.scene = "tower";
  hosts[0]->facts.players = 9;
  play(1.5);
  EXPECT_EQ(search->servers()[0].facts.scene, "tower");
  EXPECT_EQ(search->servers()[0].facts.players, 9);
}

TEST_F(LanSearch, RemovesSilentServers) {
  add(first, "one");
  begin();
  play(1);
  ASSERT_EQ(names().size(), 1U);
  hosts[0]->socket.reset();
  play(2);
  EXPECT_EQ(names().size(), 1U);
  play(3);
  EXPECT_EQ(names().size(), 0U);
}

TEST_F(LanSearch, IgnoresAnswersWithoutAKnownNonce) {
  add(first, "one");
  begin();
  std::vector<net::Address> askers;
  network.set_tap([&](const net::Datagram& datagram) { askers.push_back(datagram.from); });
  search->update();
  ASSERT_EQ(askers.size(), 1U);
  hosts[0]->socket.reset();
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    const DiscoveryResponse stray{
        .nonce = nonce, .instance = nonce, .facts = sample_server_info("stray")};
    network.inject({{second, discovery_port}, {seeker, askers[0].port}, encode(stray)});
  }
  network.inject({{second, discovery_port}, {seeker, askers[0].port}, {std::byte{1}}});
  play(0.5);
  EXPECT_EQ(names().size(), 0U);
  EXPECT_EQ(search->ignored(), 101U);
}

TEST_F(LanSearch, IgnoresAnswersToOldQuestions) {
  add(first, "one");
  begin();
  std::optional<net::Datagram> answer;
  network.set_tap([&](const net::Datagram& datagram) {
    if (datagram.from.port == discovery_port) answer = datagram;
  });
  play(0.2);
  ASSERT_TRUE(answer);
  hosts[0]->socket.reset();
  play(10);
  ASSERT_EQ(names().size(), 0U);
  network.inject(*answer);
  play(0.1);
  EXPECT_EQ(names().size(), 0U);
}

TEST_F(LanSearch, ListsAServerOnceWithItsNearestAddress) {
  add(first, "one");
  hosts[0]->node.add_ip(second);
  begin();
  const auto question = [&] {
    std::optional<net::Datagram> asked;
    network.set_tap([&](const net::Datagram& datagram) { asked = datagram; });
    search->update();
    return asked.value();
  }();
  hosts[0]->socket.reset();
  const DiscoveryResponse answer{.nonce = decode_probe(question.bytes)->nonce,
                                 .instance = 1,
                                 .facts = sample_server_info("one")};
  const net::Ip far = *net::parse_ip("fe80::5%2");
  for (const net::Ip from : {far, first, far})
    network.inject({{from, discovery_port}, question.from, encode(answer)});
  search->update();
  ASSERT_EQ(search->servers().size(), 1U);
  EXPECT_EQ(search->servers()[0].address, (net::Address{first, 7777}));
}

TEST_F(LanSearch, LimitsTheNumberOfServers) {
  add(first, "one");
  begin();
  std::optional<net::Datagram> asked;
  network.set_tap([&](const net::Datagram& datagram) { asked = datagram; });
  search->update();
  hosts[0]->socket.reset();
  for (std::uint64_t instance = 0; instance < 200; ++instance) {
    const DiscoveryResponse answer{.nonce = decode_probe(asked->bytes)->nonce,
                                   .instance = instance,
                                   .facts = sample_server_info()};
    network.inject({{first, discovery_port}, asked->from, encode(answer)});
  }
  search->update();
  EXPECT_EQ(search->servers().size(), DiscoveryClient::most_servers);
}

/// A fixture that sends datagrams from various addresses to one server and counts its answers.
class LanResponder : public LanSearch {
 protected:
  void SetUp() override {
    add(first, "one");
    network.set_tap([this](const net::Datagram& datagram) {
      ++sent_to[datagram.to];
      longest = std::max(longest, datagram.bytes.size());
    });
  }
  void ask(net::Address from, std::vector<std::byte> bytes = encode(DiscoveryRequest{.nonce = 5})) {
    network.inject({from, {first, discovery_port}, std::move(bytes)});
    hosts[0]->serve();
  }

  std::map<net::Address, int> sent_to;
  std::size_t longest = 0;
};

TEST_F(LanResponder, AnswersWithAtMostAFifthOfTheProbe) {
  ask({seeker, 5'000});
  EXPECT_EQ(sent_to, (std::map<net::Address, int>{{{seeker, 5'000}, 1}}));
  EXPECT_LE(longest * 5, encode(DiscoveryRequest{}).size());
  EXPECT_EQ(hosts[0]->responder.counters().answered, 1U);
}

TEST_F(LanResponder, IgnoresRemoteAddressesAndPortZero) {
  ask({net::Ip{0x08080808}, 5'000});
  ask({*net::parse_ip("2001:db8::1"), 5'000});
  ask({seeker, 0});
  EXPECT_TRUE(sent_to.empty());
  EXPECT_EQ(hosts[0]->responder.counters().refused, 3U);
}

TEST_F(LanResponder, IgnoresDatagramsThatAreNotProbes) {
  auto longer = encode(DiscoveryRequest{.nonce = 5});
  longer.push_back(std::byte{0});
  auto shorter = encode(DiscoveryRequest{.nonce = 5});
  shorter.pop_back();
  for (const auto& bytes :
       {longer, shorter, encode(DiscoveryResponse{.facts = sample_server_info()}), {}})
    ask({seeker, 5'000}, bytes);
  EXPECT_TRUE(sent_to.empty());
  EXPECT_EQ(hosts[0]->responder.counters().refused, 4U);
}

TEST_F(LanResponder, RateLimitsItsAnswers) {
  for (int i = 0; i < 1'000; ++i)
    ask({net::Ip{0xC0A80100U + static_cast<std::uint32_t>(i % 250)}, 5'000});
  EXPECT_EQ(hosts[0]->responder.counters().answered, 200U);
  EXPECT_EQ(hosts[0]->responder.counters().too_many, 800U);
  network.advance(1'000'000);
  for (int i = 0; i < 1'000; ++i)
    ask({seeker, 5'000});
  EXPECT_EQ(hosts[0]->responder.counters().answered, 300U);
}

}  // namespace
}  // namespace jostle::lan
