#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace jostle::client {

/// Congestion control of the client's packets to the server. It is delay-based, like the server's
/// RateController: while the packets wait in a queue, the client sends less often, and each packet
/// carries more inputs.
///
/// The rate is unlimited until a queue builds up. It then falls below the rate at which the client
/// has sent, and grows again while there is no queue. Times are arguments; this class reads no
/// clock.
class UplinkPacer {
 public:
  /// Adds the time that a ping has waited in queues on its way to the server.
  void add_queue_delay(std::int64_t now_us, double queue_us);
  /// Advances the time. Returns true if a packet may be sent now.
  bool may_send(std::int64_t now_us);
  /// Records that a packet was sent, with the bytes of all headers.
  void note_sent(std::int64_t now_us, std::size_t bytes);

  /// Returns the current limit; infinite if there is none.
  double bytes_per_second() const { return rate_; }
  bool is_limited() const { return rate_ < std::numeric_limits<double>::infinity(); }

 private:
  double sent_per_second() const;

  static constexpr std::size_t judged_delays = 2;
  static constexpr std::size_t buckets = 10;

  double rate_ = std::numeric_limits<double>::infinity();
  double tokens_ = 0;
  double packet_bytes_ = 0;  // size of the last packet
  std::int64_t advanced_us_ = 0, lowered_us_ = 0, calm_since_us_ = 0;
  std::array<double, judged_delays> delays_us_{};  // newest queue delays, a ring
  std::size_t next_delay_ = 0;
  std::array<double, buckets> sent_{};  // bytes of the last tenths of a second, a ring
  std::int64_t bucket_ = 0;
};

}  // namespace jostle::client
