#pragma once

#include "shared/state/tick.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace jostle::client {

/// Minimum of a drifting quantity over the last 8 s. One minimum per 250 ms bucket is stored, so
/// the size does not depend on the number of samples.
class WindowMinimum {
 public:
  /// Adds the sample `value_us`, measured at `at_us`.
  void add(std::int64_t at_us, double value_us);
  /// Drops buckets older than the window, except the newest one.
  void advance(std::int64_t now_us);
  bool is_empty() const { return buckets_.empty(); }

  /// Returns the `rank`-th smallest of the bucket minima, each extrapolated to `now_us` with
  /// `drift` (µs per µs). `rank` 0 is the smallest, 1 the second smallest and so on. With too few
  /// buckets, returns the largest. Contract: not is_empty().
  double lowest(std::int64_t now_us, double drift, int rank = 0) const;

 private:
  struct Bucket {
    std::int64_t number = 0;
    std::int64_t at_us = 0;
    double value_us = 0;
  };
  std::deque<Bucket> buckets_;
};

/// A ping and its answer (RFC 5905 §8). Client times are in the client's clock, server times in the
/// server's.
struct TimeExchange {
  std::int64_t client_send_us = 0;
  std::int64_t server_receive_us = 0;
  std::int64_t server_send_us = 0;
  std::int64_t client_receive_us = 0;
};

/// Estimate of the server's current tick.
///
/// The two directions are filtered separately: server_receive − client_send is offset + delay up,
/// client_receive − server_send is delay down − offset. The minimum of each over 8 s contains
/// almost no queueing delay. Half their difference is the offset if both directions have equal
/// propagation delay.
///
/// A filter on the round-trip time would need an exchange that is fast in both directions. With
/// 20 ms jitter each way, the error of such a filter is twice as large. It also could not use
/// snapshots, each of which is a sample of the downstream delay.
///
/// Drift is the least-squares slope of the offsets of the last minute. The reported tick follows
/// the estimate: it runs at most 2 % faster or slower than the local clock. The tick jumps if it is
/// off by more than 100 ms, or if the server reports skipped ticks.
///
/// All times are arguments; the class reads no clock. Impossible times are refused.
class ServerClock {
 public:
  explicit ServerClock(int tick_rate_hz);

  /// Adds a ping exchange. Returns false if its times are impossible or contradict each other.
  bool add_exchange(const TimeExchange& exchange);
  /// Adds the arrival of a message that left the server at `server_send_us`. Returns false if the
  /// times are impossible, contradict the offset, or there was no exchange yet.
  bool add_arrival(std::int64_t server_send_us, std::int64_t client_receive_us);
  /// Records that `tick` was due at `due_us` of server time. Reports older than the newest one are
  /// ignored. Returns false if the time is impossible.
  bool set_tick(state::Tick tick, std::int64_t due_us);

  /// Advances to `local_us`, which must not decrease.
  void advance(std::int64_t local_us);

  /// Returns true if an exchange and a tick have been added and advance() was called.
  bool is_set() const { return shown_us_.has_value(); }
  /// Returns the server's tick, with fraction, at the time of the last advance(). Contract:
  /// is_set().
  double tick() const;
  /// Returns the number of ticks by which the server's time has moved against the client's since
  /// the last call: ticks that the server has skipped, and changes of one of the clocks.
  /// Corrections of the estimate do not count.
  double take_shift_ticks();

  /// Returns server time − local time, estimated at `local_us`. Contract: has an exchange.
  double offset_us(std::int64_t local_us) const;
  double drift() const { return drift_; }  // µs per µs, positive: the server's clock is faster
  /// Returns the smoothed round-trip time, including queueing delay.
  double round_trip_us() const { return round_trip_us_; }
  /// Returns how much longer than the lowest delay of the last 8 s the last exchange took from the
  /// client to the server, which is the time that it waited in queues. Contract: has an exchange.
  double queue_up_us() const { return last_up_us_ - up_.lowest(last_up_at_us_, drift_); }
  /// Returns half the sum of the lowest delays of both directions in the last 8 s, which contain
  /// almost no queueing delay. Contract: has an exchange.
  double bare_way_us() const;
  /// Returns the standard deviation of the delay from client to server, over about the last eight
  /// exchanges.
  double jitter_up_us() const;
  /// Returns the half width of the offset's error interval, estimated from the spread of the lowest
  /// delays. With fewer than three exchanges, returns half the round-trip time.
  double half_width_us() const;

 private:
  struct TickReport {
    state::Tick tick;
    std::int64_t due_us = 0;
  };
  struct OffsetPoint {
    std::int64_t at_us = 0;
    double offset_us = 0;
  };

  void start_over_if_contradicted(std::int64_t now_us, const TimeExchange& exchange);
  void fit_drift(std::int64_t now_us);

  double tick_period_us_ = 0;
  WindowMinimum up_, down_;
  std::deque<OffsetPoint> offsets_;
  double drift_ = 0;
  double round_trip_us_ = 0;
  double last_up_us_ = 0;
  std::int64_t last_up_at_us_ = 0;
  double delay_up_mean_us_ = 0, delay_up_variance_us2_ = 0;
  std::uint32_t exchanges_ = 0;
  std::optional<TickReport> report_;
  std::int64_t advanced_to_us_ = 0;
  std::optional<double> shown_us_;  // tick · period at advanced_to_us_
  double shift_us_ = 0;             // see take_shift_ticks()
  bool was_set_ = false;            // a clock was set; shown_us_ follows in the next advance()
};

}  // namespace jostle::client
