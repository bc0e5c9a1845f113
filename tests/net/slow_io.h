#pragma once

#include "shared/net/forwarding_io.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// An Io whose clock advances by `us_per_look` at each call of now_us(), so that a test controls
/// how long work appears to take.
class SlowIo final : public ForwardingIo {
 public:
  explicit SlowIo(Io& inner, std::int64_t us_per_look_ = 0)
      : ForwardingIo(inner), us_per_look(us_per_look_) {}
  std::int64_t us_per_look;

  std::int64_t now_us() override { return below().now_us() + (spent_us_ += us_per_look); }

 private:
  std::int64_t spent_us_ = 0;
};

}  // namespace jostle::net
