#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::client {

/// Decides which tick is shown: as little behind the server's as the link allows.
///
/// The wanted delay is the age that 95 % of the snapshots do not exceed when they arrive (way down
/// and jitter), plus one snapshot interval so that there is always a next one to go towards, plus
/// one more interval above 2 % loss and two above 10 %, which are given up one by one, each after
/// half a minute in which fewer would have done. Loss is the mean of some seconds: what few
/// snapshots tell of it goes up and down, and motion should not get faster and slower with that.
/// Where snapshots do not hold all bodies, the gap from one state of a body to the next takes the
/// place of the interval, up to 150 ms. It is approached by playing at most 3 % faster or slower
/// than the server does, which is slower than usual where it has no time for all of its ticks; and
/// jumped to only when it is 250 ms away.
class ViewClock {
 public:
  ViewClock(int tick_rate_hz, std::uint32_t snapshot_interval_ticks);

  /// A snapshot became complete when the server was `age_ticks` beyond it.
  void add_age(double age_ticks);
  bool has_ages() const { return !ages_.empty(); }
  /// 0..1
  void set_loss(double loss) { loss_ = loss; }
  /// Ticks from one state of a body to its next, where snapshots do not hold all; 0 where they do.
  void set_gap(double ticks) { gap_ticks_ = ticks; }

  /// `elapsed_ticks` of local time after the last call, with the server in `server_tick`.
  void advance(double server_tick, double elapsed_ticks);

  /// False until the first advance().
  bool is_set() const { return is_set_; }
  double tick() const { return tick_; }
  /// As of the last advance().
  double wanted_delay_ticks() const;

 private:
  void spare_for_loss(double elapsed_ticks);
  double server_rate(double server_tick, double elapsed_ticks);

  double ticks_per_second_ = 0;
  double interval_ticks_ = 0;
  std::vector<double> ages_;  // a ring of the newest
  std::size_t next_age_ = 0;
  double usual_age_ = 0;  // the 95th percentile of ages_
  double loss_ = 0;
  double usual_loss_ = 0;       // over some seconds
  double spare_intervals_ = 0;  // for loss
  double calm_ticks_ = 0;       // since so many were needed
  double gap_ticks_ = 0;
  bool is_set_ = false;
  double tick_ = 0;
  double server_tick_ = 0;  // at the last advance()
  double rate_ = 1;         // of the server's ticks to those that the time would have
};

}  // namespace jostle::client
