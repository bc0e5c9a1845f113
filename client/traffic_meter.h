#pragma once

#include <cstdint>
#include <deque>

namespace jostle::client {

/// Meter of the byte rates and of the mean snapshot age over the last second, for display.
class TrafficMeter {
 public:
  struct Sample {
    std::int64_t at_us = 0;
    std::uint64_t bytes_down = 0, bytes_up = 0;  // totals since the start
    double age_sum_ms = 0;                       // sum of all ages noted since the start
    std::uint64_t ages = 0;
  };
  void note_age(double age_ms);
  void advance(std::int64_t now_us, std::uint64_t bytes_down, std::uint64_t bytes_up);

  double bytes_per_second_down() const;
  double bytes_per_second_up() const;
  double mean_age_ms() const;

 private:
  double seconds() const;

  std::deque<Sample> samples_;  // one sample every 100 ms; the last one has the current time
  double age_sum_ms_ = 0;
  std::uint64_t ages_ = 0;
};

}  // namespace jostle::client
