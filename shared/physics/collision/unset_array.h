#pragma once

#include <cstddef>
#include <type_traits>

namespace jostle::physics {

/// An array whose elements are uninitialised until they are assigned. It serves as scratch memory
/// that is only partly filled: clearing all of it would take longer than the work itself.
template <typename T, std::size_t size_>
class UnsetArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  T& operator[](std::size_t i) { return reinterpret_cast<T*>(memory_)[i]; }
  const T& operator[](std::size_t i) const { return reinterpret_cast<const T*>(memory_)[i]; }

 private:
  alignas(T) std::byte memory_[size_ * sizeof(T)];
};

}  // namespace jostle::physics
