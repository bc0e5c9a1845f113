#pragma once

#include <cstddef>
#include <cstdint>

namespace jostle::net {

/// Memory accounting of one ENet host, with its quota. It must outlive the host.
struct EnetMemory {
  std::size_t quota_bytes = SIZE_MAX;
  std::size_t live_bytes = 0;
  std::size_t peak_bytes = 0;
  std::uint64_t allocations = 0;
  /// Number of failed allocations: over the quota, or out of memory.
  std::uint64_t refusals = 0;
  /// Test hook: if not 0, the allocation with this number fails (counted from 1).
  std::uint64_t refused_allocation = 0;
};

/// Installs the accounting allocator in ENet, once per process. Allocations are charged to the
/// current EnetContext. A failed allocation is counted and ENet receives a null pointer; the
/// process does not abort. Returns false if ENet rejects the allocator.
bool install_enet_memory();

}  // namespace jostle::net
