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

/// A server that has answered.
struct FoundServer {
  net::Address address;  // of the game: from where it answered, and the port that it told
  Facts facts;
  double round_trip_ms = 0;  // of its last answer, as far as update() is called often
  std::uint64_t instance = 0;
  std::int64_t heard_us = 0;
};

/// Looks for servers on the local network: asks everybody once a second, and keeps those that have
/// answered lately. An answer that does not repeat what was asked in the last seconds is none.
class Search {
 public:
  /// Where everybody is now, of all ways there are.
  using Everybody = std::function<std::vector<net::Address>()>;
  static constexpr std::size_t most_servers = 64;

  /// `io` outlives it.
  Search(net::Io& io, std::unique_ptr<net::DatagramSocket> socket, Everybody everybody);

  /// Call often.
  void update();

  /// In the order in which they were found. Of several ways to one server the nearest counts: this
  /// machine, IPv4, IPv6.
  const std::vector<FoundServer>& servers() const { return servers_; }
  /// Datagrams that were no answers, or too many.
  std::uint64_t ignored() const { return ignored_; }

 private:
  struct Question {
    std::uint64_t nonce = 0;
    std::int64_t sent_us = 0;
  };
  void ask(std::int64_t now_us);
  void take(const Answer& answer, net::Ip from, std::int64_t now_us);

  net::Io& io_;
  std::unique_ptr<net::DatagramSocket> socket_;
  Everybody everybody_;
  std::vector<Question> questions_;  // the last ones
  std::vector<FoundServer> servers_;
  std::uint64_t ignored_ = 0;
};

}  // namespace jostle::lan
