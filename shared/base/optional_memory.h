#pragma once

#include <cstddef>

namespace jostle::base {

/// Work that a program can do without, such as loading another scene. Its allocations fail before
/// those of other threads: it leaves a reserve, and gives up if another thread gets no memory.
///
/// This works in programs whose operator new uses may_allocate() and wait_for_memory(), as that of
/// `jostled` does. In other programs only the allocations that really fail are errors.
class OptionalWork {
 public:
  /// Marks the allocations of this thread as optional until the object is destroyed.
  OptionalWork();
  ~OptionalWork();
  OptionalWork(const OptionalWork&) = delete;
  OptionalWork& operator=(const OptionalWork&) = delete;
};

/// Memory that optional work leaves for other threads, in bytes.
inline constexpr std::size_t memory_reserve_bytes = 16U << 20;

/// Sets the function that returns how much more memory the process may use, in bytes. It must be
/// safe to call on any thread and must not allocate. Null, the default: the amount is not known.
void set_memory_source(std::size_t (*available_bytes)());

/// Returns false if the allocation must fail: this thread does optional work, and either another
/// thread waits for memory, or the allocation would take a part of the reserve. Asks the memory
/// source at most once per MiB of allocations.
bool may_allocate(std::size_t bytes);

/// Call it after a failed allocation. Makes optional work of other threads give up, and waits for
/// that, at most 5 s. Returns true if the allocation should be tried again; false if there is no
/// such work, or if this thread does optional work itself.
bool wait_for_memory();

}  // namespace jostle::base
