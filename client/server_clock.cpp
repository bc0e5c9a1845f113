#include "client/server_clock.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace jostle::client {
namespace {

constexpr std::int64_t window_us = 8'000'000;
constexpr std::int64_t bucket_us = 250'000;
/// Limit of the magnitude of times, 285 years. Below this limit doubles represent every integer, so
/// differences of times stay exact.
constexpr std::int64_t max_time_us = std::int64_t{1} << 53;
constexpr double max_round_trip_us = 10e6;

constexpr std::int64_t offset_interval_us = 500'000;
constexpr std::size_t max_offset_points = 120;  // a minute
constexpr std::size_t min_offset_points = 20;
/// Maximum drift of one clock relative to the other. Crystal oscillators drift by less than 100 ppm
/// each; a steeper slope is a changed route.
constexpr double max_drift = 200e-6;

constexpr double max_slew = 0.02;
constexpr double step_beyond_us = 100e3;
/// The sum of the lowest delays of both directions is a round-trip time. A sum below the negative
/// of this value shows that one of the clocks was set.
constexpr double contradiction_us = 1e3;
constexpr double smoothing = 1.0 / 8;
/// Rank of the bucket minimum whose distance to the lowest bucket minimum estimates the error.
constexpr int half_width_rank = 3;

bool is_time(std::int64_t time_us) {
  return time_us > -max_time_us && time_us < max_time_us;
}

}  // namespace

void WindowMinimum::add(std::int64_t at_us, double value_us) {
  const std::int64_t number = at_us / bucket_us;
  if (buckets_.empty() || buckets_.back().number < number) {
    buckets_.push_back({number, at_us, value_us});
  } else if (value_us < buckets_.back().value_us) {
    buckets_.back().at_us = at_us;
    buckets_.back().value_us = value_us;
  }
  advance(at_us);
}

void WindowMinimum::advance(std::int64_t now_us) {
  // The newest bucket is kept at any age: a bad estimate is better than none.
  while (buckets_.size() > 1 && buckets_.front().at_us < now_us - window_us)
    buckets_.pop_front();
}

double WindowMinimum::lowest(std::int64_t now_us, double drift, int rank) const {
  JOSTLE_ASSERT(!buckets_.empty());
  std::array<double, window_us / bucket_us + 2> values{};
  std::size_t count = 0;
  for (const Bucket& bucket : buckets_) {
    if (count == values.size()) break;
    values[count++] = bucket.value_us + drift * static_cast<double>(now_us - bucket.at_us);
  }
  const std::size_t place = std::min(static_cast<std::size_t>(rank), count - 1);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place),
                   values.begin() + static_cast<std::ptrdiff_t>(count));
  return values[place];
}

ServerClock::ServerClock(int tick_rate_hz) : tick_period_us_(1e6 / tick_rate_hz) {
  JOSTLE_ASSERT(tick_rate_hz >= state::min_tick_rate_hz && tick_rate_hz <= state::max_tick_rate_hz);
}

bool ServerClock::add_exchange(const TimeExchange& exchange) {
  const auto& [client_send_us, server_receive_us, server_send_us, client_receive_us] = exchange;
  if (!is_time(client_send_us) || !is_time(server_receive_us) || !is_time(server_send_us) ||
      !is_time(client_receive_us)) {
    return false;
  }
  const auto round_trip_us = static_cast<double>((client_receive_us - client_send_us) -
                                                 (server_send_us - server_receive_us));
  if (server_send_us < server_receive_us || round_trip_us < 0 ||
      round_trip_us > max_round_trip_us) {
    return false;
  }

  const auto up_us = static_cast<double>(server_receive_us - client_send_us);
  up_.add(client_send_us, up_us);
  last_up_us_ = up_us;
  last_up_at_us_ = client_send_us;
  down_.add(client_receive_us, static_cast<double>(client_receive_us - server_send_us));
  start_over_if_contradicted(client_receive_us, exchange);

  const double gain = exchanges_ == 0 ? 1 : smoothing;
  round_trip_us_ += gain * (round_trip_us - round_trip_us_);
  const double deviation_us = up_us - delay_up_mean_us_;
  delay_up_mean_us_ += gain * deviation_us;
  if (exchanges_ > 0) {
    delay_up_variance_us2_ =
        (1 - gain) * (delay_up_variance_us2_ + gain * deviation_us * deviation_us);
  }
  ++exchanges_;
  fit_drift(client_receive_us);
  return true;
}

bool ServerClock::add_arrival(std::int64_t server_send_us, std::int64_t client_receive_us) {
  if (!is_time(server_send_us) || !is_time(client_receive_us)) return false;
  // Without an exchange there is no offset to compare an arrival with. A delay below −100 ms
  // contradicts the offset. Such an arrival is refused; the next exchange shows whether one of the
  // clocks was set.
  if (exchanges_ == 0) return false;
  const double delay_us =
      static_cast<double>(client_receive_us - server_send_us) + offset_us(client_receive_us);
  if (delay_us < -step_beyond_us || delay_us > max_round_trip_us) return false;
  down_.add(client_receive_us, static_cast<double>(client_receive_us - server_send_us));
  return true;
}

bool ServerClock::set_tick(state::Tick tick, std::int64_t due_us) {
  if (!is_time(due_us)) return false;
  if (report_ && due_us < report_->due_us && exchanges_ > 1) return true;
  if (report_ && shown_us_) {
    // A server that fell behind skips ticks, so later ticks are due later than expected. The clock
    // steps immediately. If it approached the new value slowly, every snapshot would look old
    // meanwhile.
    const double slip_us =
        (tick - report_->tick) * tick_period_us_ - static_cast<double>(due_us - report_->due_us);
    if (std::abs(slip_us) > tick_period_us_ / 2) {
      *shown_us_ += slip_us;
      shift_us_ += slip_us;
    }
  }
  report_ = {tick, due_us};
  return true;
}

void ServerClock::start_over_if_contradicted(std::int64_t now_us, const TimeExchange& exchange) {
  if (up_.lowest(now_us, drift_) + down_.lowest(now_us, -drift_) > -contradiction_us) return;
  was_set_ = shown_us_.has_value();
  up_ = {};
  down_ = {};
  offsets_.clear();
  drift_ = 0;
  exchanges_ = 0;
  delay_up_mean_us_ = delay_up_variance_us2_ = 0;
  report_.reset();  // the pong of this exchange also reports the tick
  up_.add(exchange.client_send_us,
          static_cast<double>(exchange.server_receive_us - exchange.client_send_us));
  down_.add(exchange.client_receive_us,
            static_cast<double>(exchange.client_receive_us - exchange.server_send_us));
}

void ServerClock::fit_drift(std::int64_t now_us) {
  if (!offsets_.empty() && now_us - offsets_.back().at_us < offset_interval_us) return;
  offsets_.push_back({now_us, offset_us(now_us)});
  if (offsets_.size() > max_offset_points) offsets_.pop_front();
  if (offsets_.size() < min_offset_points) return;

  // Slope of the least-squares line: sum(x·y) / sum(x·x) about the means.
  const auto count = static_cast<double>(offsets_.size());
  double mean_x = 0, mean_y = 0;
  for (const OffsetPoint& point : offsets_) {
    mean_x += static_cast<double>(point.at_us - now_us) / count;
    mean_y += (point.offset_us - offsets_.back().offset_us) / count;
  }
  double xy = 0, xx = 0;
  for (const OffsetPoint& point : offsets_) {
    const double x = static_cast<double>(point.at_us - now_us) - mean_x;
    const double y = point.offset_us - offsets_.back().offset_us - mean_y;
    xy += x * y;
    xx += x * x;
  }
  drift_ = xx > 0 ? std::clamp(xy / xx, -max_drift, max_drift) : 0;
}

double ServerClock::offset_us(std::int64_t local_us) const {
  return (up_.lowest(local_us, drift_) - down_.lowest(local_us, -drift_)) / 2;
}

void ServerClock::advance(std::int64_t local_us) {
  const auto elapsed_us =
      static_cast<double>(std::max<std::int64_t>(local_us - advanced_to_us_, 0));
  advanced_to_us_ = std::max(advanced_to_us_, local_us);
  if (exchanges_ == 0 || !report_) {
    if (shown_us_) *shown_us_ += elapsed_us;
    return;
  }
  up_.advance(local_us);
  down_.advance(local_us);
  const double server_us = static_cast<double>(local_us) + offset_us(local_us);
  const double wanted_us =
      report_->tick.number * tick_period_us_ + (server_us - static_cast<double>(report_->due_us));
  if (!shown_us_ || std::abs(wanted_us - (*shown_us_ + elapsed_us)) > step_beyond_us) {
    if (std::exchange(was_set_, false)) shift_us_ += wanted_us - (*shown_us_ + elapsed_us);
    shown_us_ = wanted_us;
    return;
  }
  const double error_us = wanted_us - (*shown_us_ + elapsed_us);
  *shown_us_ += elapsed_us + std::clamp(error_us, -max_slew * elapsed_us, max_slew * elapsed_us);
}

double ServerClock::tick() const {
  JOSTLE_ASSERT(is_set());
  return *shown_us_ / tick_period_us_;
}

double ServerClock::take_shift_ticks() {
  return std::exchange(shift_us_, 0.0) / tick_period_us_;
}

double ServerClock::bare_way_us() const {
  // The offset cancels: it is contained in both delays with opposite signs.
  return (up_.lowest(advanced_to_us_, drift_) + down_.lowest(advanced_to_us_, -drift_)) / 2;
}

double ServerClock::jitter_up_us() const {
  return std::sqrt(delay_up_variance_us2_);
}

double ServerClock::half_width_us() const {
  if (exchanges_ < half_width_rank) return round_trip_us_ / 2;
  const auto gap_us = [this](const WindowMinimum& delay, double drift) {
    return delay.lowest(advanced_to_us_, drift, half_width_rank) -
           delay.lowest(advanced_to_us_, drift);
  };
  return (gap_us(up_, drift_) + gap_us(down_, -drift_)) / 2;
}

}  // namespace jostle::client
