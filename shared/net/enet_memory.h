#pragma once

#include <cstddef>
#include <cstdint>

namespace jostle::net {

/// What one ENet host holds in memory, and how much it may. Must outlive the host.
struct EnetMemory {
  std::size_t quota_bytes = SIZE_MAX;
  std::size_t live_bytes = 0;
  std::size_t peak_bytes = 0;
  std::uint64_t allocations = 0;
  /// Allocations that were refused: over the quota, or the system had none.
  std::uint64_t refusals = 0;
  /// Test hook: when not 0, the allocation with this number (counted from 1) is refused.
  std::uint64_t refused_allocation = 0;
};

/// Puts the accounting allocator under ENet, once per process. Allocations are charged to the
/// EnetContext that is current; a refusal is counted and ENet sees a null pointer, it never aborts.
/// False when ENet does not take it.
bool install_enet_memory();

}  // namespace jostle::net
