// The allocation functions of `jostled`. Allocations of optional work fail before those of the
// ticks (shared/base/optional_memory.h).
#include "shared/base/optional_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

template <typename Allocate>
void* allocate(std::size_t bytes, Allocate&& from_system) {
  for (;;) {
    if (!jostle::base::may_allocate(bytes)) throw std::bad_alloc();
    if (void* const memory = from_system()) return memory;
    if (!jostle::base::wait_for_memory()) throw std::bad_alloc();
  }
}

}  // namespace

void* operator new(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  return allocate(size, [size] { return std::malloc(size); });
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  // aligned_alloc() needs a multiple of the alignment.
  const auto unit = static_cast<std::size_t>(alignment);
  const std::size_t size = (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
  if (size < bytes) throw std::bad_alloc();
  return allocate(size, [unit, size] { return std::aligned_alloc(unit, size); });
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
