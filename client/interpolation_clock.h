#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::client {

/// Clock that chooses the displayed tick. The tick is as little behind the server's as the link
/// allows.
///
/// The wanted interpolation delay is the sum of three terms:
/// - the age at arrival that 95 % of the snapshots do not exceed (downstream delay and jitter);
/// - one snapshot interval, so that there is always a next snapshot to interpolate towards;
/// - one more interval above 2 % packet loss, or two above 10 %.
///
/// If snapshots do not hold all bodies, the second term is at least the time between two updates of
/// a body, up to 150 ms. The intervals of the third term are removed one by one, each after 30 s in
/// which fewer would have been enough. Loss is averaged over 8 s, because short estimates fluctuate
/// and the playback speed should not follow them.
///
/// The clock follows the server's tick rate, which is below nominal if the server is overloaded. To
/// approach the wanted delay, the clock runs at most 3 % faster or slower. It jumps only if it is
/// off by more than 250 ms.
class InterpolationClock {
 public:
  InterpolationClock(int tick_rate_hz, std::uint32_t snapshot_interval_ticks);

  /// Adds the age of a snapshot at the time when it became complete: the server's tick minus the
  /// snapshot's tick.
  void add_age(double age_ticks);
  bool has_ages() const { return !ages_.empty(); }
  /// Sets the packet loss, 0..1.
  void set_loss(double loss) { loss_ = loss; }
  /// Sets the number of ticks between two updates of a body if snapshots do not hold all bodies,
  /// else 0.
  void set_gap(double ticks) { gap_ticks_ = ticks; }

  /// Advances by `elapsed_ticks` of local time since the last call. `server_tick` is the server's
  /// current tick.
  void advance(double server_tick, double elapsed_ticks);

  /// Moves the displayed tick along with the server's tick, because the server's time has moved by
  /// `ticks`.
  void shift(double ticks) {
    tick_ += ticks;
    server_tick_ += ticks;
  }

  /// Returns true after the first advance().
  bool is_set() const { return is_set_; }
  double tick() const { return tick_; }
  /// Returns the wanted interpolation delay in ticks, as of the last advance().
  double wanted_delay_ticks() const;

 private:
  void spare_for_loss(double elapsed_ticks);
  double server_rate(double server_tick, double elapsed_ticks);

  double ticks_per_second_ = 0;
  double interval_ticks_ = 0;
  std::vector<double> ages_;  // a ring of the newest ages
  std::size_t next_age_ = 0;
  double usual_age_ = 0;  // the 95th percentile of ages_
  double loss_ = 0;
  double usual_loss_ = 0;       // smoothed over 8 s
  double spare_intervals_ = 0;  // number of extra intervals because of loss
  double calm_ticks_ = 0;       // ticks since spare_intervals_ extra intervals were last needed
  double gap_ticks_ = 0;
  bool is_set_ = false;
  double tick_ = 0;
  double server_tick_ = 0;  // the server's tick at the last advance()
  double rate_ = 1;         // the server's measured tick rate relative to the nominal rate
};

}  // namespace jostle::client
