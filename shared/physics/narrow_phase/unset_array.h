#pragma once

#include <cstddef>
#include <type_traits>

namespace jostle::physics {

/// An array whose elements hold nothing until they are assigned: for work space that is filled only
/// as far as it is needed, where clearing it all would take longer than the work.
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
