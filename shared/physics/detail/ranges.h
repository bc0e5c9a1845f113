#pragma once

#include "shared/physics/workers/worker_pool.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// A range of the items of a list, [first, last).
struct Range {
  std::size_t first = 0, last = 0;
};

/// Runs parallel work over a list, followed by serial work on the results. The list is cut into
/// batches of at most `pieces_per_batch` pieces of `length` items, so that the results take memory
/// for one batch only. The cuts depend on nothing but the list's length. For each batch, calls
/// `work(piece, range)` for its pieces in any order and on any thread, then `take(piece, range)`
/// for each in order. Pieces are numbered within their batch.
template <typename Work, typename Take>
void for_each_piece(workers::WorkerPool& workers, std::size_t count, std::size_t length,
                    std::size_t pieces_per_batch, const Work& work, const Take& take) {
  for (std::size_t begin = 0; begin < count; begin += length * pieces_per_batch) {
    const std::size_t rest = (count - begin + length - 1) / length;
    const std::size_t pieces = rest < pieces_per_batch ? rest : pieces_per_batch;
    const auto range_of = [&](std::uint32_t piece) {
      const std::size_t first = begin + piece * length, last = first + length;
      return Range{first, last < count ? last : count};
    };
    workers.for_each_block(static_cast<std::uint32_t>(pieces),
                           [&](std::uint32_t piece) { work(piece, range_of(piece)); });
    for (std::uint32_t piece = 0; piece < pieces; ++piece)
      take(piece, range_of(piece));
  }
}

/// Cuts 0 ≤ i < count into ranges of `length` items and calls `work(range)` for each, in any order
/// and on any thread.
template <typename Work>
void for_each_range(workers::WorkerPool& workers, std::size_t count, std::size_t length,
                    const Work& work) {
  workers.for_each_block(static_cast<std::uint32_t>((count + length - 1) / length),
                         [&](std::uint32_t i) {
                           const std::size_t first = i * length, last = first + length;
                           work(Range{first, last < count ? last : count});
                         });
}

}  // namespace jostle::physics
