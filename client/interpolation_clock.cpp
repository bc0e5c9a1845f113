#include "client/interpolation_clock.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <cmath>

namespace jostle::client {
namespace {

constexpr std::size_t max_ages = 256;  // 4 s at 60 Hz
constexpr double age_quantile = 0.95;
constexpr double some_loss = 0.02, much_loss = 0.10;
constexpr double loss_seconds = 8, calm_seconds = 30;
constexpr double max_rate_change = 0.03;
constexpr double jump_beyond_seconds = 0.25;
constexpr double longest_gap_seconds = 0.15;
constexpr double rate_seconds = 0.5, least_rate = 0.25, most_rate = 1.05;
// Deviation of the server's rate from 1 that is ignored, because corrections of ServerClock alone
// change the measured rate by up to 2 %.
constexpr double usual_rate_change = 0.025;

}  // namespace

InterpolationClock::InterpolationClock(int tick_rate_hz, std::uint32_t snapshot_interval_ticks)
    : ticks_per_second_(tick_rate_hz), interval_ticks_(snapshot_interval_ticks) {
  JOSTLE_ASSERT(tick_rate_hz > 0 && snapshot_interval_ticks > 0);
}

void InterpolationClock::add_age(double age_ticks) {
  if (ages_.size() < max_ages) {
    ages_.push_back(age_ticks);
  } else {
    ages_[next_age_] = age_ticks;
  }
  next_age_ = (next_age_ + 1) % max_ages;

  std::vector<double> sorted = ages_;
  const auto place = static_cast<std::ptrdiff_t>(
      std::lround(age_quantile * static_cast<double>(sorted.size() - 1)));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  usual_age_ = sorted[static_cast<std::size_t>(place)];
}

double InterpolationClock::wanted_delay_ticks() const {
  const double gap = std::min(gap_ticks_, longest_gap_seconds * ticks_per_second_);
  return usual_age_ + std::max(gap, interval_ticks_) + spare_intervals_ * interval_ticks_;
}

void InterpolationClock::spare_for_loss(double elapsed_ticks) {
  const double share =
      is_set_ ? std::min(elapsed_ticks / (loss_seconds * ticks_per_second_), 1.0) : 1;
  usual_loss_ += share * (loss_ - usual_loss_);
  const double needed = usual_loss_ > much_loss ? 2 : usual_loss_ > some_loss ? 1 : 0;
  calm_ticks_ = needed < spare_intervals_ ? calm_ticks_ + elapsed_ticks : 0;
  if (calm_ticks_ > calm_seconds * ticks_per_second_) {
    --spare_intervals_;
    calm_ticks_ = 0;
  }
  spare_intervals_ = std::max(spare_intervals_, needed);
}

/// Returns the server's tick rate relative to nominal, smoothed over half a second. A rate within
/// 2.5 % of 1 is returned as 1, because the difference may be a correction by ServerClock. The
/// measurement is reset if the server's clock has jumped.
double InterpolationClock::server_rate(double server_tick, double elapsed_ticks) {
  const double made = server_tick - server_tick_;
  server_tick_ = server_tick;
  if (std::abs(made - elapsed_ticks) > jump_beyond_seconds * ticks_per_second_) return rate_ = 1;
  rate_ +=
      (made - rate_ * elapsed_ticks) / std::max(rate_seconds * ticks_per_second_, elapsed_ticks);
  rate_ = std::clamp(rate_, least_rate, most_rate);
  return std::abs(rate_ - 1) < usual_rate_change ? 1 : rate_;
}

void InterpolationClock::advance(double server_tick, double elapsed_ticks) {
  spare_for_loss(elapsed_ticks);
  const double played = elapsed_ticks * server_rate(server_tick, elapsed_ticks);
  const double wanted = server_tick - wanted_delay_ticks();
  const double error = wanted - (tick_ + played);
  if (!is_set_ || std::abs(error) > jump_beyond_seconds * ticks_per_second_) {
    tick_ = wanted;
    is_set_ = true;
    rate_ = 1;
    return;
  }
  const double change = max_rate_change * elapsed_ticks;
  tick_ += played + std::clamp(error, -change, change);
}

}  // namespace jostle::client
