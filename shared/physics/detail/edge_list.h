#pragma once

#include "shared/physics/detail/world_state.h"

#include <cstdint>

namespace jostle::physics {

// Each body has a doubly linked list of its contacts and one of its joints. The record of a contact
// or joint, in slot `index`, is in the lists of its two bodies. Its entry in the list of body
// `side` (0: a, 1: b) is called an edge and has the number 2 · index + side. The record's members
// next[side] and previous[side] hold the neighbouring edges.

/// Puts an edge at the front of the list that begins with `first`.
template <typename Records>
void link_edge(Records& records, std::uint32_t& first, std::uint32_t index, std::uint32_t side) {
  const std::uint32_t edge = 2 * index + side;
  records[index].previous[side] = no_index;
  records[index].next[side] = first;
  if (first != no_index) records[first / 2].previous[first % 2] = edge;
  first = edge;
}

/// Removes an edge from the list that begins with `first`.
template <typename Records>
void unlink_edge(Records& records, std::uint32_t& first, std::uint32_t index, std::uint32_t side) {
  const std::uint32_t previous = records[index].previous[side], next = records[index].next[side];
  if (previous == no_index) {
    first = next;
  } else {
    records[previous / 2].next[previous % 2] = next;
  }
  if (next != no_index) records[next / 2].previous[next % 2] = previous;
}

}  // namespace jostle::physics
