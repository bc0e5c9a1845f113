#include "client/traffic_meter.h"

namespace jostle::client {
namespace {

constexpr std::int64_t window_us = 1'000'000;
constexpr std::int64_t sample_interval_us = 100'000;

}  // namespace

void TrafficMeter::note_age(double age_ms) {
  age_sum_ms_ += age_ms;
  ++ages_;
}

void TrafficMeter::advance(std::int64_t now_us, std::uint64_t bytes_down, std::uint64_t bytes_up) {
  const Sample now{now_us, bytes_down, bytes_up, age_sum_ms_, ages_};
  const std::size_t count = samples_.size();
  // The last sample is overwritten until its interval ends.
  if (count < 2 || samples_[count - 1].at_us - samples_[count - 2].at_us >= sample_interval_us) {
    samples_.push_back(now);
  } else {
    samples_.back() = now;
  }
  while (samples_.size() > 2 && samples_[1].at_us <= now_us - window_us)
    samples_.pop_front();
}

double TrafficMeter::seconds() const {
  if (samples_.empty()) return 0;
  return static_cast<double>(samples_.back().at_us - samples_.front().at_us) * 1e-6;
}

double TrafficMeter::bytes_per_second_down() const {
  if (seconds() <= 0) return 0;
  return static_cast<double>(samples_.back().bytes_down - samples_.front().bytes_down) / seconds();
}

double TrafficMeter::bytes_per_second_up() const {
  if (seconds() <= 0) return 0;
  return static_cast<double>(samples_.back().bytes_up - samples_.front().bytes_up) / seconds();
}

double TrafficMeter::mean_age_ms() const {
  if (samples_.empty()) return 0;
  const std::uint64_t ages = samples_.back().ages - samples_.front().ages;
  if (ages == 0) return 0;
  return (samples_.back().age_sum_ms - samples_.front().age_sum_ms) / static_cast<double>(ages);
}

}  // namespace jostle::client
