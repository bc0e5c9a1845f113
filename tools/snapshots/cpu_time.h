#pragma once

#include <ctime>

namespace jostle::snapshots {

/// Returns the CPU time of this thread in µs.
inline double cpu_us() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

}  // namespace jostle::snapshots
