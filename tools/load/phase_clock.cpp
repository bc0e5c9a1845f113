#include "tools/load/phase_clock.h"

#include <ctime>
#include <numeric>

namespace jostle::load {

std::int64_t thread_cpu_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void PhaseClock::enter(server::Phase phase) {
  const std::int64_t now_ns = thread_cpu_ns();
  spent_ns_[static_cast<std::size_t>(phase_)] += now_ns - since_ns_;
  since_ns_ = now_ns;
  phase_ = phase;
}

void PhaseClock::reset() {
  spent_ns_ = {};
  since_ns_ = thread_cpu_ns();
}

double PhaseClock::us(server::Phase phase) const {
  return static_cast<double>(spent_ns_[static_cast<std::size_t>(phase)]) * 1e-3;
}

double PhaseClock::total_us() const {
  return static_cast<double>(std::accumulate(spent_ns_.begin(), spent_ns_.end(), std::int64_t{0})) *
         1e-3;
}

}  // namespace jostle::load
