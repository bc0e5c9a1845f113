#pragma once

#include "shared/physics/workers/worker_pool.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// How `count` items are cut into pieces of parallel work: by their number alone. Pieces grow where
/// there would be more of them than a loop of the worker pool takes.
struct Ranges {
  std::size_t count = 0, length = 1;

  Ranges(std::size_t items, std::size_t least_length) : count(items), length(least_length) {
    constexpr std::size_t max_pieces = 32768;
    if (count > max_pieces * length) length = (count + max_pieces - 1) / max_pieces;
  }
  std::uint32_t pieces() const { return static_cast<std::uint32_t>((count + length - 1) / length); }
  std::size_t first(std::uint32_t piece) const { return piece * length; }
  std::size_t last(std::uint32_t piece) const {
    const std::size_t end = first(piece) + length;
    return end < count ? end : count;
  }
};

/// Calls `body(piece, first, last)` for all pieces, in any order and on any thread.
template <typename Body>
void for_each_range(workers::WorkerPool& workers, const Ranges& ranges, const Body& body) {
  workers.for_each_block(ranges.pieces(), [&](std::uint32_t piece) {
    body(piece, ranges.first(piece), ranges.last(piece));
  });
}

}  // namespace jostle::physics
