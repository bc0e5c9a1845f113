#pragma once

#include "shared/net/virtual_network.h"
#include "tests/net/net_fixture.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::net {

inline constexpr std::uint32_t ip_a = 0x0A000001;
inline constexpr std::uint32_t ip_b = 0x0A000002;

/// Two nodes with one socket each.
struct NodePair {
  explicit NodePair(std::uint64_t seed) : network(seed) {
    auto opened_a = network.node(ip_a).open_datagram_socket({.ip = ip_a, .port = 100});
    auto opened_b = network.node(ip_b).open_datagram_socket({.ip = 0, .port = 200});
    a = std::move(*opened_a);
    b = std::move(*opened_b);
  }

  void send(std::string_view text) {
    EXPECT_TRUE(a->send({.ip = ip_b, .port = 200}, bytes_of(text)));
  }
  /// Returns all datagrams that have arrived at b.
  std::vector<std::string> arrived() {
    std::vector<std::string> texts;
    std::vector<std::byte> buffer(2'000);
    while (const auto received = b->receive(buffer)) {
      texts.push_back(text_of(std::span(buffer).first(received->bytes)));
    }
    return texts;
  }
  /// Sends numbered datagrams 1 ms apart, and waits until the last one has arrived.
  std::vector<std::string> send_numbered(int count) {
    for (int i = 0; i < count; ++i) {
      send(std::to_string(i));
      network.advance(1'000);
    }
    network.advance(10 * second_us);
    return arrived();
  }

  VirtualNetwork network;
  std::unique_ptr<DatagramSocket> a, b;
};

}  // namespace jostle::net
