#pragma once

#include <atomic>
#include <cstdint>

namespace jostle::physics {

/// Adds to a counter of StepWork. Several threads may call this function at once; the sum does not
/// depend on the order of the calls.
inline void count_work(std::uint64_t& counter, std::uint64_t amount) {
  std::atomic_ref<std::uint64_t>(counter).fetch_add(amount, std::memory_order_relaxed);
}

}  // namespace jostle::physics
