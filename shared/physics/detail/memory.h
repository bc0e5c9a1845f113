#pragma once

#include <cstddef>
#include <vector>

namespace jostle::physics {

/// Reserves memory for `size` values in a list that may hold much of a world's memory. Grows by an
/// eighth of the current size, whereas the standard library would double it.
template <typename Value>
void make_room(std::vector<Value>& list, std::size_t size) {
  if (size <= list.capacity()) return;
  const std::size_t grown = list.size() + list.size() / 8 + 8;
  list.reserve(size > grown ? size : grown);
}
template <typename Value>
void make_room_for_one(std::vector<Value>& list) {
  make_room(list, list.size() + 1);
}

struct WorldState;

/// Releases memory that lists of a step have allocated and now mostly do not use. This happens in
/// worlds in which most bodies have fallen asleep, or whose first step created many contacts at
/// once.
void release_spare_memory(WorldState& world);

}  // namespace jostle::physics
