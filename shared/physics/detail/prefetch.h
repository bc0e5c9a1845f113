#pragma once

#include <cstddef>

namespace jostle::physics {

/// Prefetches all cache lines of a value that will be read soon.
template <typename Value>
inline void prefetch(const Value& value) {
  constexpr std::size_t line = 64;
  const char* bytes = reinterpret_cast<const char*>(&value);
  for (std::size_t i = 0; i < sizeof(Value); i += line)
    __builtin_prefetch(bytes + i);
}

}  // namespace jostle::physics
