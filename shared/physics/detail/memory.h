#pragma once

#include <cstddef>
#include <vector>

namespace jostle::physics {

/// Room for `size` values in a list that may hold most of a world's memory: an eighth more than it
/// has, where the standard library would double it.
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

/// Gives memory back that lists of a step hold and have not needed for most of it: those of a world
/// most of which has come to rest, or whose first step made many contacts at once.
void release_spare_memory(WorldState& world);

}  // namespace jostle::physics
