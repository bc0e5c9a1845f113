#pragma once

#include "shared/state/tick.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace jostle::server {

/// Congestion control: estimates how many bytes per second a client's link can carry, from the
/// times of its acknowledgements.
///
/// While the lowest recent round-trip time stays near the lowest of the last ten seconds, no queue
/// builds up, and the rate grows if it is used up. The rate doubles in each update (one per round
/// trip, every 50 to 100 ms) until it first meets a limit. After that it grows by a tenth per
/// second, and faster the longer it meets no limit. If a queue builds up, the rate falls below the
/// rate of arrival (after Brakmo and Peterson, "TCP Vegas", 1995, §4.3, in bytes per second instead
/// of windows).
///
/// The lowest values are used because they are robust against jitter and clients that pause. If
/// less is sent than allowed, a queue is attributed to other traffic, unless it lasts for seconds.
///
/// Loss without delay means a radio link, or a policer that drops excess traffic. A lower rate
/// reduces the loss only behind a policer. The rate is therefore lowered for a while as a trial. If
/// the loss does not fall, it is attributed to the link itself and the rate is restored.
///
/// Times are arguments; this class reads no clock.
class RateController {
 public:
  /// Starts at first_bytes_per_second. The rate stays within [min_bytes_per_second,
  /// most_bytes_per_second].
  explicit RateController(double most_bytes_per_second);
  static constexpr double min_bytes_per_second = 1'500;
  static constexpr double first_bytes_per_second = 250'000;

  /// Records that `parts` messages of a tick were sent, `bytes` long in total with all headers.
  /// `is_rate_limited` is true if more data would have been sent at a higher rate.
  void note_sent(state::Tick tick, std::uint32_t parts, std::uint32_t bytes, bool is_rate_limited,
                 std::int64_t now_us);
  /// Records that `bytes` of other data were sent in the datagram of snapshot `tick`, the newest
  /// one.
  void note_shared(state::Tick tick, double bytes);
  /// Records that `bytes` of other data were sent after the newest snapshot. They count as arrived
  /// with it.
  void note_other(double bytes) {
    if (!sent_.empty()) sent_.back().other_bytes += bytes;
  }
  /// Records that `parts` more parts of a tick were acknowledged.
  void note_acknowledged(state::Tick tick, std::uint32_t parts, std::int64_t now_us);
  /// Sets the round-trip time of the path, measured before the server has sent anything that could
  /// wait in a queue. Call it before the first note_sent().
  void set_path_round_trip(double round_trip_us) { path_round_trip_us_ = round_trip_us; }
  /// Records the times at which the client has sent a ping, on its own clock, and at which this
  /// server has received it. Shows how long acknowledgements wait in queues on their way to here.
  void note_ping(std::int64_t client_send_us, std::int64_t now_us);
  /// Records that the client has sent something lately. A silence is then none of the link upward:
  /// the client receives nothing, or lacks a change of the world that is still on its way.
  void note_heard(std::int64_t now_us) { heard_us_ = now_us; }
  /// Records that blobs wait because the rate is used up.
  void note_blobs_wait(std::int64_t now_us) { blobs_waited_us_ = now_us; }
  /// Records that `bytes` of reliable messages were acknowledged, and their smoothed round-trip
  /// time if no snapshots measure it yet.
  void note_reliable(double bytes, std::optional<double> round_trip_us, std::int64_t now_us);
  /// Forgets the snapshots in flight, because this process has just stood still: the times of their
  /// acknowledgements say nothing about the link.
  void note_hitch(std::int64_t now_us);
  /// Updates the rate. Call it once per tick.
  void advance(std::int64_t now_us);
  /// Returns false during a pause of a probe: snapshots are then left out.
  bool may_send(std::int64_t now_us) const {
    return !probe_ || now_us - probe_->since_us >= probe_->pause_us;
  }

  double bytes_per_second() const { return rate_; }
  /// Returns true while data waits in a queue on its way to the client.
  bool is_queued() const { return queued_since_us_.has_value(); }
  /// Returns the smoothed round-trip time, including the client's own delay; null before the first
  /// acknowledgement.
  std::optional<double> round_trip_us() const { return smooth_round_trip_us_; }
  /// Returns the share of lost parts, 0 to 1, among the parts sent in one second whose
  /// acknowledgements are due. Keeps its last value if fewer than 20 such parts were sent.
  double loss() const { return loss_; }

 private:
  /// Time beyond a round trip after which an unacknowledged part counts as lost. Clients
  /// acknowledge every tick, but their packets can be lost too.
  static constexpr std::int64_t patience_us = 100'000;
  /// Window of Delivery.
  static constexpr std::int64_t delivery_window_us = 1'000'000;
  /// Minimum number of sent parts for a measurement of loss.
  static constexpr double min_parts_to_judge = 20;
  struct Sent {
    state::Tick tick;
    std::int64_t at_us = 0;
    std::uint32_t parts = 0, acknowledged = 0, bytes = 0;
    bool is_rate_limited = false;
    double other_bytes = 0;
  };
  struct Sample {
    std::int64_t at_us = 0;
    double round_trip_us = 0;
  };
  /// Totals over the snapshots that were sent within one second. The second is the newest for which
  /// all acknowledgements should have arrived by now.
  struct Delivery {
    double sent_parts = 0, acknowledged_parts = 0, sent_bytes = 0, delivered_bytes = 0;
    double loss_burst = 1;  // mean number of lost snapshots in a row
    // true if a snapshot of the last 150 ms was rate-limited
    bool is_rate_limited = false;
  };
  Delivery delivery(std::int64_t now_us) const;
  void note_arrived(double bytes, std::int64_t now_us);
  void note_round_trip(double round_trip_us, std::int64_t now_us);
  void measure_capacity(std::int64_t now_us);
  double arrived_per_second(std::int64_t now_us, std::int64_t since_us = 0) const;
  struct Queue {
    double us = 0, limit_us = 0;  // queueing delay, and its limit
    double round_trip_us = 0;     // without the queueing delay
    bool is_silent = false;       // true if snapshots were not acknowledged for silence_us
  };
  Queue queue(std::int64_t now_us) const;
  void judge(std::int64_t now_us, std::int64_t since_us);
  bool is_suspicious(const Delivery& recent) const;
  bool is_worth_a_trial(const Delivery& recent) const;
  void reduce_rate(std::int64_t now_us, const Queue& waiting, const Delivery& recent);
  bool is_of_others(std::int64_t now_us, const Queue& waiting, const Delivery& recent);
  bool has_probed(std::int64_t now_us, const Queue& waiting);
  void grow(std::int64_t now_us, std::int64_t since_us);
  void cancel_trial(bool keeps_rate);
  void finish_trial(std::int64_t now_us, const Delivery& delivery);
  void continue_trial(std::int64_t now_us, const Delivery& delivery);
  void set_rate(double bytes_per_second);

  double most_ = 0, rate_ = 0;
  std::optional<double> path_round_trip_us_;
  std::optional<std::int64_t> first_acknowledged_us_, acknowledged_us_;
  double acknowledgement_gap_us_ = 0;  // smoothed time between two acknowledgements
  struct Arrived {
    std::int64_t at_us = 0;
    double bytes = 0;
  };
  std::deque<Arrived> arrived_;  // what was acknowledged in the last second
  // Pings of the last ten seconds: the lowest delay of each 50 ms, with the offset of the clocks
  std::deque<Sample> pings_;
  double last_ping_us_ = 0, queue_up_us_ = 0;
  double limit_ = 0;  // rate of arrival through the last queue; 0: unknown
  std::optional<std::int64_t> near_limit_since_us_;
  double capacity_ = 0;  // capacity of the link at the last deep queue; 0: there was none
  double rate_before_deep_ = 0;
  bool is_queue_up_ = false;    // true if acknowledgements waited too when it began
  std::deque<Sent> sent_;       // snapshots sent in the last four seconds, in tick order
  std::deque<Sample> samples_;  // lowest round-trip time of each 50 ms, over the last ten seconds
  std::optional<double> smooth_round_trip_us_, last_round_trip_us_;
  double jitter_us_ = 0;  // smoothed absolute difference between consecutive round-trip times
  double loss_ = 0;
  double own_loss_ = 0;  // loss of the link itself, independent of the rate
  bool has_met_limit_ = false;
  std::optional<std::int64_t> queued_since_us_;
  std::optional<double> rate_before_silence_;
  /// The current series of reductions because of a queue: the rate and the rate of arrival before
  /// it, and since when the rate is low, with the queue at that time.
  struct Reductions {
    double rate_before = 0, arrived = 0, queue_us = 0;
    std::optional<std::int64_t> low_since_us{};
  };
  std::optional<Reductions> reductions_;
  double others_us_ = 0;  // delay that is attributed to others
  /// A probe that distinguishes a queue of this server's data from a longer route: nothing is sent
  /// for a moment, and an own queue is shorter afterwards.
  struct Probe {
    std::int64_t since_us = 0, pause_us = 0;
    double queue_us = 0;
  };
  std::optional<Probe> probe_;
  std::int64_t probed_us_ = 0;  // when the last probe began
  // time of the first snapshot since the last acknowledgement
  std::optional<std::int64_t> unanswered_since_us_;
  std::optional<std::int64_t> blobs_waited_us_;
  std::int64_t heard_us_ = 0, judged_us_ = 0, lowered_us_ = 0;
  /// A trial that distinguishes random loss from policing: the rate is kept constant for a while,
  /// then lowered for as long.
  struct Trial {
    std::int64_t since_us = 0;
    bool is_lowered = false;
    double rate_before = 0, loss_before = 0;
    double loss_burst = 1;
    double sent_parts = 0;     // parts sent in the second before the rate was lowered
    double arrived_bytes = 0;  // bytes that arrived in the second before the rate was lowered
  };
  std::optional<Trial> trial_;
  bool is_policer_likely_ = false;  // the last trial has found a policer, or an outage
  // Trials that found random loss in a row, and the earliest time of the next one
  int failed_trials_ = 0;
  std::int64_t next_trial_us_ = 0;
};

}  // namespace jostle::server
