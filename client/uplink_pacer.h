#pragma once

#include "client/server_clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

namespace jostle::client {

/// Congestion control of the client's packets to the server. It is delay-based, like the server's
/// RateController: while the packets wait in a queue, the client sends less often, and each packet
/// carries more inputs.
///
/// A longer route looks like a queue at first. If the delay does not fall although the rate was
/// lowered to a fraction, it is attributed to the route.
///
/// The rate is unlimited until a queue builds up. It then falls below the rate at which the client
/// has sent, and grows again while there is no queue. Times are arguments; this class reads no
/// clock.
class UplinkPacer {
 public:
  /// Adds the delay of a packet to the server. `round_trip_us` is the time until a lower rate has
  /// an effect on the delays.
  void add_delay(std::int64_t now_us, double delay_us, double round_trip_us);
  /// Advances the time. Returns true if a packet may be sent now.
  bool may_send(std::int64_t now_us);
  /// Records that a packet was sent, with the bytes of all headers.
  void note_sent(std::int64_t now_us, std::size_t bytes);

  /// Returns the current limit; infinite if there is none.
  double bytes_per_second() const { return rate_; }
  bool is_limited() const { return rate_ < std::numeric_limits<double>::infinity(); }

 private:
  double sent_per_second() const;
  void lower(std::int64_t now_us, double queue_us, double round_trip_us);

  static constexpr std::size_t buckets = 10;

  double rate_ = std::numeric_limits<double>::infinity();
  /// The rate, and the bytes sent per second before the current series of reductions, and the
  /// longest queue in it.
  struct Reductions {
    double rate_before = 0, sent_before = 0, queue_us = 0;
  };
  bool is_lowering_ = false;
  Reductions reductions_;
  double route_us_ = 0;  // delay that is attributed to a longer route
  double tokens_ = 0;
  double packet_bytes_ = 0;  // size of the last packet
  std::int64_t advanced_us_ = 0, lowered_us_ = 0, calm_since_us_ = 0, grown_us_ = 0;
  WindowMinimum lowest_;
  struct Delay {
    std::int64_t at_us = 0;
    double queue_us = 0;
  };
  std::deque<Delay> delays_;            // the newest queue delays
  std::array<double, buckets> sent_{};  // bytes of the last tenths of a second, a ring
  std::int64_t bucket_ = 0;
};

}  // namespace jostle::client
