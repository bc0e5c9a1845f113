#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace jostle::base {

/// A token bucket: allows `per_second` events a second on average and up to `burst` at once. The
/// caller passes the time, in µs.
class TokenBucket {
 public:
  TokenBucket(double per_second, double burst)
      : per_second_(per_second), burst_(burst), left_(burst) {}

  /// Takes one token. Returns false if the bucket is empty.
  bool take(std::int64_t now_us) {
    left_ = at(now_us);
    then_us_ = now_us;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }
  /// Returns true if the bucket has refilled completely, so that it can be replaced by a new one.
  bool is_full(std::int64_t now_us) const { return at(now_us) >= burst_; }

 private:
  double at(std::int64_t now_us) const {
    if (!then_us_) return left_;
    return std::min(burst_, left_ + per_second_ * static_cast<double>(now_us - *then_us_) * 1e-6);
  }

  double per_second_, burst_, left_;
  std::optional<std::int64_t> then_us_;
};

}  // namespace jostle::base
