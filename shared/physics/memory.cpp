#include "shared/physics/detail/memory.h"

#include "shared/physics/detail/world_state.h"

#include <cstddef>
#include <vector>

namespace jostle::physics {
namespace {

/// Lists that come and go keep what they need; only a small share of a large list is too little.
template <typename Value>
void release(std::vector<Value>& list) {
  constexpr std::size_t small = std::size_t{1} << 16, share = 4;
  if (list.capacity() * sizeof(Value) > small && list.capacity() / share > list.size()) {
    list.shrink_to_fit();
  }
}

}  // namespace

void release_spare_memory(WorldState& world) {
  SolverArrays& solver = world.solver;
  release(solver.bodies);
  release(solver.velocities);
  release(solver.motions);
  release(solver.inertias);
  release(solver.gains);
  release(solver.body_blocks);
  release(solver.coloured);
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [](auto& bundles, auto& records) {
      release(bundles);
      release(records);
    });
    release(solver.resistances[count - 1]);
  }
  release(world.pairs);
  release(world.awake_contacts);
}

}  // namespace jostle::physics
