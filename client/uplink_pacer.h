#pragma once

#include "client/server_clock.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

namespace jostle::client {

/// Congestion control of the client's packets to the server. It is delay-based, like the server's
/// RateController: while the packets wait in a queue, the client sends less often, and each packet
/// carries more inputs.
///
/// At first, the rate is that of a narrow link. It grows in each round trip in which no queue
/// builds up, until it exceeds what the client sends. Over a long round trip, this start is
/// skipped. Afterwards, the rate is unlimited until a queue builds up. While there is a queue,
/// packets arrive at the capacity of the link. The rate falls to a share of this capacity until the
/// queue is empty, and then to slightly less than the capacity. It grows again while there is no
/// queue.
///
/// A longer route looks like a queue at first. If the delay does not fall although the client sends
/// ever less, the delay is attributed to the route.
///
/// Times are arguments; this class reads no clock.
class UplinkPacer {
 public:
  /// Adds the delay of a packet to the server, which was sent at `sent_us`. `round_trip_us` is the
  /// time until a lower rate has an effect on the delays.
  void add_delay(std::int64_t now_us, std::int64_t sent_us, double delay_us, double round_trip_us);
  /// Ends the start if the round trip is so long that growing would take many seconds.
  void note_round_trip(double round_trip_us);
  /// Advances the time. Returns true if a packet may be sent now. An urgent packet may be sent one
  /// packet earlier, and at the start at any time; later ones wait longer instead.
  bool may_send(std::int64_t now_us, bool is_urgent = false);
  /// Records bytes that were sent, with all headers, whether or not may_send() allowed them.
  void note_sent(std::int64_t now_us, std::size_t bytes);
  /// Sets the size of a packet that waits for may_send(), with all headers.
  void set_packet_bytes(std::size_t bytes) { packet_bytes_ = static_cast<double>(bytes); }
  /// Forgets the recent delays, because the time of this process or of the server has stood still.
  /// The rate stays.
  void note_hitch();

  /// Returns the current limit; infinite if there is none.
  double bytes_per_second() const { return rate_; }
  bool is_limited() const { return rate_ < std::numeric_limits<double>::infinity(); }
  /// Returns true until the first queue, or until the rate has become unlimited.
  bool is_starting() const { return is_starting_; }

 private:
  struct Sent {
    std::int64_t at_us = 0;
    double total_bytes = 0;  // all bytes up to this time
  };
  struct Delay {
    std::int64_t sent_us = 0;
    double delay_us = 0, queue_us = 0;
  };
  /// The state while a queue is being emptied.
  struct Drain {
    std::int64_t since_us = 0;
    double rate_before = 0, capacity = 0;
    double queue_us = 0;  // the longest queue of this drain, and then of its current check
    int failures = 0;     // checks in which the queue was not shorter
  };
  double sent_bytes_until(std::int64_t at_us) const;
  double sent_per_second(std::int64_t now_us, std::int64_t window_us) const;
  double arrived_per_second() const;
  void note_capacity(double estimate);
  void drain(std::int64_t now_us, double queue_us, double round_trip_us);
  void grow(std::int64_t now_us);
  void grow_at_start(std::int64_t now_us, double longest_us, double round_trip_us);

  /// Rate at the start, bytes/s.
  static constexpr double first_rate = 3'500;
  double rate_ = first_rate;
  bool is_starting_ = true;
  bool is_held_back_ = false;  // a packet had to wait since the rate last grew
  std::optional<Drain> drain_;
  double capacity_ = 0;   // estimate of the last drain; 0: none
  double jitter_us_ = 0;  // smoothed difference between consecutive delays
  double route_us_ = 0;   // delay that is attributed to a longer route
  double tokens_ = 0;
  double packet_bytes_ = 0;
  std::int64_t advanced_us_ = 0, calm_since_us_ = 0, grown_us_ = 0;
  WindowMinimum lowest_;
  std::deque<Delay> delays_;  // the newest delays, in the order in which their packets were sent
  std::deque<Sent> sent_;     // what was sent in the last seconds
  double total_bytes_ = 0, forgotten_bytes_ = 0;  // all bytes, and those before `sent_`
};

}  // namespace jostle::client
