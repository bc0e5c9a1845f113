#pragma once

#include "shared/base/allowance.h"
#include "shared/lan/lan_wire.h"
#include "shared/net/io.h"

#include <cstdint>
#include <functional>

namespace jostle::lan {

/// Answers those of the local network who look for a server. Keeps nothing of them: what is sent to
/// one is never longer than a fifth of what came from there, and how much to all together is
/// limited.
class Responder {
 public:
  struct Counters {
    std::uint64_t answered = 0;
    std::uint64_t refused = 0;    // no questions, or from no local address
    std::uint64_t too_many = 0;   // good ones, beyond what is answered in a second
    std::uint64_t not_taken = 0;  // answers, by the network
  };

  /// `instance` is random, and tells this server from others for as long as it runs.
  explicit Responder(std::uint64_t instance) : instance_(instance) {}

  /// Takes in what has arrived, up to a limit, so that a flood holds up nobody. `facts` is asked
  /// once, where there is somebody to tell.
  void serve(net::DatagramSocket& socket, const std::function<Facts()>& facts, std::int64_t now_us);

  const Counters& counters() const { return counters_; }

 private:
  static constexpr double answers_per_second = 100, answer_burst = 200;

  std::uint64_t instance_;
  base::Allowance allowance_{answers_per_second, answer_burst};
  Counters counters_;
};

}  // namespace jostle::lan
