#pragma once

#include "shared/base/token_bucket.h"
#include "shared/lan/lan_wire.h"
#include "shared/net/io.h"

#include <cstdint>
#include <functional>

namespace jostle::lan {

/// The server's side of LAN discovery, which answers the requests of clients on the local network.
/// It keeps no state per client. No answer is larger than a fifth of its request, and the rate of
/// all answers together is limited.
class DiscoveryServer {
 public:
  struct Counters {
    std::uint64_t answered = 0;
    // datagrams that are not requests, or that come from outside the local network
    std::uint64_t refused = 0;
    std::uint64_t too_many = 0;   // valid requests beyond the rate limit
    std::uint64_t not_taken = 0;  // answers that the socket did not accept
  };

  /// `instance` is a random number that identifies this server until it ends.
  explicit DiscoveryServer(std::uint64_t instance) : instance_(instance) {}

  /// Answers the datagrams that have arrived, at most 64 in a call, so that a flood does not stall
  /// the caller. `facts` is called at most once, and only if there is a request to answer.
  void serve(net::DatagramSocket& socket, const std::function<ServerInfo()>& facts,
             std::int64_t now_us);

  const Counters& counters() const { return counters_; }

 private:
  static constexpr double answers_per_second = 100, answer_burst = 200;

  std::uint64_t instance_;
  base::TokenBucket token_bucket_{answers_per_second, answer_burst};
  Counters counters_;
};

}  // namespace jostle::lan
