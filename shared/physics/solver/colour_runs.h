#pragma once

#include "shared/physics/solver/solver_arrays.h"
#include "shared/physics/workers/worker_pool.h"

#include <cstdint>

namespace jostle::physics {

/// Calls `run(block)` for each block of `colour`: in order if the colour is serial, otherwise in
/// any order and on any thread.
template <typename Run>
void run_colour(workers::WorkerPool& workers, const ColourBlocks& blocks, const ColourRange& colour,
                const Run& run) {
  const auto run_block = [&](std::uint32_t i) { run(blocks.blocks[colour.first + i]); };
  const std::uint32_t count = colour.last - colour.first;
  if (colour.is_serial) {
    for (std::uint32_t i = 0; i < count; ++i)
      run_block(i);
  } else {
    workers.for_each_block(count, run_block);
  }
}

/// Calls `run(block)` for all blocks, in any order and on any thread.
template <typename Run>
void run_all_blocks(workers::WorkerPool& workers, const ColourBlocks& blocks, const Run& run) {
  workers.for_each_block(static_cast<std::uint32_t>(blocks.order.size()),
                         [&](std::uint32_t i) { run(blocks.blocks[blocks.order[i]]); });
}

}  // namespace jostle::physics
