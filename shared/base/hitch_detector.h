#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace jostle::base {

/// Detects that a process stood still, from the gaps between the iterations of its main loop. A gap
/// is a hitch if it is far longer than the usual gaps. Measurements that span a hitch say nothing
/// about the network.
class HitchDetector {
 public:
  /// Records an iteration of the loop. Returns true if a hitch has just ended.
  bool advance(std::int64_t now_us) {
    const std::int64_t gap_us = now_us - last_us_.value_or(now_us);
    last_us_ = now_us;
    const auto gap = static_cast<double>(std::clamp<std::int64_t>(gap_us, 0, longest_usual_us));
    const bool is_hitch =
        static_cast<double>(gap_us) > std::max(least_hitch_us, hitch_factor * usual_us_);
    usual_us_ += (gap - usual_us_) / smoothing;
    if (is_hitch) ended_us_ = now_us;
    return is_hitch;
  }
  /// Returns true if a hitch ended in the last iteration.
  bool has_just_ended() const { return ended_us_ && ended_us_ == last_us_; }
  /// Returns true if the process stood still between `since_us` and the last iteration.
  bool has_stood_still_since(std::int64_t since_us) const {
    return ended_us_ && since_us < *ended_us_;
  }

 private:
  static constexpr double least_hitch_us = 50'000;
  static constexpr double hitch_factor = 4;  // multiple of the usual gap
  static constexpr std::int64_t longest_usual_us = 500'000;
  static constexpr double smoothing = 8;

  std::optional<std::int64_t> last_us_, ended_us_;
  double usual_us_ = 0;
};

}  // namespace jostle::base
