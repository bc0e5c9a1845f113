#pragma once

#include "shared/state/tick.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace jostle::server {

/// How many bytes a client's link takes, from what it acknowledges and when.
///
/// Delay first: while the lowest round trip of the last moments stays near the lowest of the last
/// ten seconds nothing queues, and the rate grows if it is used up: it doubles each round trip
/// until it has met a limit, later by a tenth in a second, and faster the longer it meets none.
/// When something queues it falls below what arrived meanwhile (after Brakmo and Peterson, "TCP
/// Vegas", 1995, §4.3, in bytes per second instead of windows). Lowest values, so that jitter and a
/// client that pauses mean nothing; and where less is sent than may be, something else queues,
/// unless it goes on for seconds.
///
/// Loss without delay is a radio link or a policer that drops what is too much. Only the second
/// loses less when less is sent: the rate is lowered for a while on trial; if as much is lost as
/// before, that share is taken for the link's own and the rate comes back.
///
/// Takes times as arguments and reads no clock.
class RateController {
 public:
  /// The rate stays within [min_bytes_per_second, most].
  explicit RateController(double most_bytes_per_second);
  static constexpr double min_bytes_per_second = 8'000;
  static constexpr double first_bytes_per_second = 250'000;

  /// `parts` messages of a tick went out, `bytes` long together with all headers. `wanted_more`:
  /// there would have been more to say.
  void note_sent(state::Tick tick, std::uint32_t parts, std::uint32_t bytes, bool wanted_more,
                 std::int64_t now_us);
  /// So many parts of a tick that were not known to have arrived have.
  void note_acknowledged(state::Tick tick, std::uint32_t parts, std::int64_t now_us);
  /// Once a tick.
  void advance(std::int64_t now_us);

  double bytes_per_second() const { return rate_; }
  /// Smoothed, with the client's own delay; nothing before the first acknowledgement.
  std::optional<double> round_trip_us() const { return smooth_round_trip_us_; }
  /// Of the last second, 0..1.
  double loss() const { return loss_; }

 private:
  struct Sent {
    state::Tick tick;
    std::int64_t at_us = 0;
    std::uint32_t parts = 0, acknowledged = 0, bytes = 0;
    bool wanted_more = false;
  };
  struct Sample {
    std::int64_t at_us = 0;
    double round_trip_us = 0;
  };
  /// Of snapshots whose acknowledgements should be there by now, of the last second.
  struct Delivery {
    double sent_parts = 0, acknowledged_parts = 0, sent_bytes = 0, delivered_bytes = 0;
    bool wanted_more = false;
  };
  Delivery delivery(std::int64_t now_us) const;
  struct Queue {
    double us = 0, limit_us = 0;  // that it delays, and may
    bool is_silent = false;       // nothing has come for long
  };
  Queue queue(std::int64_t now_us) const;
  void judge(std::int64_t now_us, std::int64_t since_us);
  bool is_suspicious(const Delivery& recent) const;
  bool is_worth_a_trial(const Delivery& recent) const;
  void give_way(std::int64_t now_us, const Queue& waiting, const Delivery& recent);
  void grow(std::int64_t now_us, std::int64_t since_us);
  void judge_trial(const Delivery& delivery);
  void continue_trial(std::int64_t now_us, const Delivery& delivery);
  void set_rate(double bytes_per_second);

  double most_ = 0, rate_ = 0;
  std::deque<Sent> sent_;       // by tick, of the last seconds
  std::deque<Sample> samples_;  // lowest round trip of each 50 ms, of the last ten seconds
  std::optional<double> smooth_round_trip_us_, last_round_trip_us_;
  double jitter_us_ = 0;  // mean difference of one round trip from the next
  double loss_ = 0;
  double own_loss_ = 0;  // of the link whatever is sent
  bool has_met_limit_ = false;
  std::optional<std::int64_t> queued_since_us_;
  std::optional<double> rate_before_silence_;
  std::int64_t heard_us_ = 0, judged_us_ = 0, lowered_us_ = 0;
  /// First the rate is held for a while, then lowered for as long.
  struct Trial {
    std::int64_t since_us = 0;
    bool is_lowered = false;
    double rate_before = 0, loss_before = 0;
    double arrived_bytes = 0;  // in the second before it was lowered
  };
  std::optional<Trial> trial_;
};

}  // namespace jostle::server
