#include "shared/physics/detail/memory.h"

#include "shared/physics/detail/world_state.h"

#include <cstddef>
#include <vector>

namespace jostle::physics {
namespace {

/// Shrinks a list that uses less than a quarter of its memory, unless this memory is at most
/// `small` bytes.
template <typename Value>
void release(std::vector<Value>& list, std::size_t small = std::size_t{1} << 16) {
  constexpr std::size_t share = 4;
  if (list.capacity() * sizeof(Value) > small && list.capacity() / share > list.size()) {
    list.shrink_to_fit();
  }
}

void release(Incidence& incidence) {
  release(incidence.first);
  release(incidence.edges);
}

void release(SolverArrays& solver) {
  release(solver.bodies);
  release(solver.velocities);
  release(solver.motions);
  release(solver.inertias);
  release(solver.gains);
  release(solver.body_blocks);
  release(solver.turned_lanes);
  release(solver.coloured);
  release(solver.grip_loads);
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [](auto& bundles, auto& records) {
      release(bundles);
      release(records);
    });
    release(solver.bounces[count - 1]);
    release(solver.resistances[count - 1]);
    release(solver.locks[count - 1]);
    release(solver.belts[count - 1]);
    release(solver.grips[count - 1]);
  }
  SqueezedBodies& squeezed = solver.squeezed;
  release(squeezed.links);
  release(squeezed.links_of);
  release(squeezed.level);
  release(squeezed.mass);
  release(squeezed.factors);
  SupportGraph& graph = solver.supports;
  release(graph.contacts);
  release(graph.contacts_of);
  release(graph.bodies);
  release(graph.details);
  release(graph.supports);
  release(graph.rows);
  release(graph.place);
  release(graph.seen_round);
  release(graph.noise);
}

void release_solver(WorldState& world) {
  release(world.pairs);
  release(world.awake_contacts);
  release(world.solved);
  release(world.starts);
  release(world.turns);
  release(world.large_cluster.solver);  // arrays of small clusters stay small
  ClusterLists& lists = world.clusters;
  release(lists.ranges);
  release(lists.bodies);
  release(lists.contacts);
  release(lists.acting);
  release(lists.first_body);
  release(lists.islands);
  release(lists.solver_index);
}

/// Shrinks lists that are mostly empty between steps. Call it only while few bodies are awake: in a
/// busy world the sizes of these lists do not show how much the next step needs.
void release_scratch(WorldState& world) {
  release(world.woken_bodies);
  release(world.awake_bodies);
  release(world.changed_bodies);
  release(world.moved_shapes);
  release(world.maybe_changed_sleep);
  release(world.found_pairs);
  release(world.found_scratch);
  release(world.index_scratch);
  release(world.begins);
  release(world.ends);
  release(world.sleep_changes);
  constexpr std::size_t small_piece = 1U << 12;  // small, because there are hundreds of pieces
  for (PairPiece& piece : world.pair_pieces) {
    release(piece.near, small_piece);
    release(piece.ended, small_piece);
  }
  for (CollisionPiece& piece : world.collision_pieces) {
    release(piece.begun, small_piece);
    release(piece.ended, small_piece);
    release(piece.begins, small_piece);
    release(piece.ends, small_piece);
  }
  for (std::vector<std::uint32_t>& piece : world.changed_pieces)
    release(piece, small_piece);
  for (std::vector<FoundPair>& piece : world.found_pieces)
    release(piece, small_piece);
}

}  // namespace

void release_spare_memory(WorldState& world) {
  release_solver(world);
  constexpr std::size_t share = 4;
  const bool is_mostly_at_rest = world.awake_bodies.size() < world.bodies.size() / share;
  if (is_mostly_at_rest) release_scratch(world);
}

}  // namespace jostle::physics
