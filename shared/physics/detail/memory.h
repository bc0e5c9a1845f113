#pragma once

#include <cstddef>
#include <vector>

namespace jostle::physics {

/// Reserves memory for `size` values in a list that may be large. Grows the list by an eighth of
/// its size, whereas the standard library would double it.
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

/// Shrinks the lists of a step that use only a small part of their memory. Such lists remain, for
/// example, after most bodies have fallen asleep, or after a step that created many contacts at
/// once.
void release_spare_memory(WorldState& world);

}  // namespace jostle::physics
