#pragma once

#include "shared/lan/lan_wire.h"
#include "shared/net/io.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace jostle::lan {

/// A server that has answered within the last 3.5 s.
struct DiscoveredServer {
  // address of the game: the IP address from which the answer came, and the port in the answer
  net::Address address;
  ServerInfo facts;
  // time from request to answer; rounded up to the next call of update()
  double round_trip_ms = 0;
  std::uint64_t instance = 0;
  std::int64_t heard_us = 0;  // time of the last answer from this address
};

/// The client's side of LAN discovery: a search for servers on the local network. It sends a
/// request every second and lists the servers that answered within the last 3.5 s. Answers that do
/// not repeat the nonce of one of the last three requests are ignored.
class DiscoveryClient {
 public:
  /// A function that returns the addresses to which requests are sent: the broadcast and multicast
  /// addresses of all interfaces.
  using Everybody = std::function<std::vector<net::Address>()>;
  static constexpr std::size_t most_servers = 64;

  /// Starts with an empty list. `io` must outlive this object.
  DiscoveryClient(net::Io& io, std::unique_ptr<net::DatagramSocket> socket, Everybody everybody);

  /// Processes answers, removes silent servers and sends the next request when it is due. Call it
  /// every frame.
  void update();

  /// Returns the servers in the order in which they were found. If a server is reachable over
  /// several paths, the address of the nearest one is listed: loopback, then IPv4, then IPv6.
  const std::vector<DiscoveredServer>& servers() const { return servers_; }
  /// Returns the number of datagrams that were not valid answers, or that did not fit into the
  /// list.
  std::uint64_t ignored() const { return ignored_; }

 private:
  struct Question {
    std::uint64_t nonce = 0;
    std::int64_t sent_us = 0;
  };
  void ask(std::int64_t now_us);
  void take(const DiscoveryResponse& answer, net::Ip from, std::int64_t now_us);

  net::Io& io_;
  std::unique_ptr<net::DatagramSocket> socket_;
  Everybody everybody_;
  std::vector<Question> questions_;  // the most recent ones, at most three
  std::vector<DiscoveredServer> servers_;
  std::uint64_t ignored_ = 0;
};

}  // namespace jostle::lan
