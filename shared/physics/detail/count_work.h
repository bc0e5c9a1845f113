#pragma once

#include <atomic>
#include <cstdint>

namespace jostle::physics {

/// Adds to a counter of StepWork. Threads may do so at the same time; sums do not depend on their
/// order.
inline void count_work(std::uint64_t& counter, std::uint64_t amount) {
  std::atomic_ref<std::uint64_t>(counter).fetch_add(amount, std::memory_order_relaxed);
}

}  // namespace jostle::physics
