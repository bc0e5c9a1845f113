#pragma once

#include "server/phases.h"

#include <array>
#include <cstdint>

namespace jostle::load {

/// Returns the CPU time of this thread, in ns.
std::int64_t thread_cpu_ns();

/// Sums up the CPU time that the server's thread spends in each phase. Use it in that thread only.
class PhaseClock {
 public:
  PhaseClock() { reset(); }
  void enter(server::Phase phase);
  /// Starts again from zero.
  void reset();
  /// Returns the CPU time of a phase in µs, up to the last change of phase.
  double us(server::Phase phase) const;
  double total_us() const;

 private:
  server::Phase phase_ = server::Phase::Other;
  std::int64_t since_ns_ = 0;
  std::array<std::int64_t, server::phase_count> spent_ns_{};
};

}  // namespace jostle::load
