#pragma once

#include "server/phases.h"

#include <array>
#include <cstdint>

namespace jostle::load {

/// Processor time that this thread has taken so far, ns.
std::int64_t thread_cpu_ns();

/// Adds up what a server's thread spends in each of its phases. For that thread only.
class PhaseClock {
 public:
  PhaseClock() { reset(); }
  void enter(server::Phase phase);
  /// From now on.
  void reset();
  /// µs, up to the last change of phases.
  double us(server::Phase phase) const;
  double total_us() const;

 private:
  server::Phase phase_ = server::Phase::Other;
  std::int64_t since_ns_ = 0;
  std::array<std::int64_t, server::phase_count> spent_ns_{};
};

}  // namespace jostle::load
