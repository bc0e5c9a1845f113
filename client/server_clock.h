#pragma once

#include "shared/state/tick.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace jostle::client {

/// Lowest value of a drifting quantity over the last seconds, from one lowest value per bucket of
/// time, so that its size does not depend on how many samples come.
class WindowMinimum {
 public:
  void add(std::int64_t at_us, double value_us);
  /// Drops what is older than the window.
  void advance(std::int64_t now_us);
  bool is_empty() const { return buckets_.empty(); }

  /// Lowest value as it would be at `now_us` if all drift by `drift` (µs per µs). `rank` 0 is the
  /// lowest, 1 the second lowest and so on; the highest there is when there are fewer.
  double lowest(std::int64_t now_us, double drift, int rank = 0) const;

 private:
  struct Bucket {
    std::int64_t number = 0;
    std::int64_t at_us = 0;
    double value_us = 0;
  };
  std::deque<Bucket> buckets_;
};

/// One ping and its answer (RFC 5905 §8). Client times are of the client's clock, server times of
/// the server's.
struct TimeExchange {
  std::int64_t client_send_us = 0;
  std::int64_t server_receive_us = 0;
  std::int64_t server_send_us = 0;
  std::int64_t client_receive_us = 0;
};

/// Tells which tick the server is in now.
///
/// Each direction on its own: server_receive − client_send is offset + delay up, client_receive −
/// server_send is delay down − offset. The lowest of each over 8 s has next to no queueing in it,
/// so half their difference is the offset if the bare paths are equally long. A filter on the round
/// trip needs luck in both directions at once; with 20 ms jitter each way it has twice the error.
/// Every snapshot is a sample of the way down. Drift is the least-squares slope of the offsets of
/// the last minute. What is shown follows the estimate by at most 2 % and steps only beyond 100 ms,
/// or by whole ticks when the server says that it has skipped some.
///
/// Takes times as arguments and reads no clock; times that cannot be are refused.
class ServerClock {
 public:
  explicit ServerClock(int tick_rate_hz);

  /// False when the times contradict themselves.
  bool add_exchange(const TimeExchange& exchange);
  /// A message that left the server at `server_send_us`.
  bool add_arrival(std::int64_t server_send_us, std::int64_t client_receive_us);
  /// `tick` was due at `due_us` of server time; older reports than the newest are ignored.
  bool set_tick(state::Tick tick, std::int64_t due_us);

  /// Moves to `local_us`, which must not go back.
  void advance(std::int64_t local_us);

  /// False until exchanges and a tick have come and advance() was called.
  bool is_set() const { return shown_us_.has_value(); }
  /// The server's tick, with fraction, at the time of the last advance(). Contract: is_set().
  double tick() const;

  /// Server time − local time as estimated at `local_us`. Contract: an exchange has come.
  double offset_us(std::int64_t local_us) const;
  double drift() const { return drift_; }  // µs per µs, positive: the server's clock is faster
  /// Smoothed, queueing included.
  double round_trip_us() const { return round_trip_us_; }
  /// The lowest of the last seconds without queueing: half the way there and back. Contract: an
  /// exchange has come.
  double bare_way_us() const;
  /// Standard deviation of the delay from client to server.
  double jitter_up_us() const;
  /// How well the lowest delays are established; half the round trip until they are.
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
  double delay_up_mean_us_ = 0, delay_up_variance_us2_ = 0;
  std::uint32_t exchanges_ = 0;
  std::optional<TickReport> report_;
  std::int64_t advanced_to_us_ = 0;
  std::optional<double> shown_us_;  // tick · period at advanced_to_us_
};

}  // namespace jostle::client
