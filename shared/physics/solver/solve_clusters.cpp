#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/islands/clusters.h"
#include "shared/physics/solver/body_solver.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/colouring.h"
#include "shared/physics/solver/contact_solver.h"
#include "shared/physics/solver/joint_solver.h"
#include "shared/physics/stabilizers/adaptive_substeps/island_paths.h"
#include "shared/physics/stabilizers/adaptive_substeps/refine_islands.h"
#include "shared/physics/stabilizers/balanced_warm_start/balance_warm_start.h"
#include "shared/physics/stabilizers/curved_tracks/running_balls.h"
#include "shared/physics/stabilizers/energy_limiter/passive_groups.h"
#include "shared/physics/stabilizers/impact_propagation/impact_chains.h"
#include "shared/physics/stabilizers/mass_ratios/squeezed_bodies.h"
#include "shared/physics/stabilizers/stacks/support_graph.h"
#include "shared/physics/world/body_state.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace jostle::physics {
namespace {

void solve_substep(Cluster& cluster, bool is_first, bool is_last) {
  cluster.log.begin(Stage::Integrate);
  note_running_balls(cluster);
  integrate_velocities(cluster);
  cluster.log.begin(Stage::Solve);
  if (is_first) {
    warm_start_contacts(cluster);
    note_warm_start(cluster);
    balance_warm_start(cluster);
  }
  note_carried_impulses(cluster);
  note_energies(cluster);
  hold_joints(cluster, is_last);
  solve_contacts(cluster, true);
  hold_trees_again(cluster);
  cluster.log.begin(Stage::CarryLoads);
  if (is_first) find_supports(cluster);
  carry_loads(cluster);
  cluster.log.begin(Stage::Integrate);
  integrate_positions(cluster);
  run_over_facets(cluster);
  measure_turned_contacts(cluster);
  if (is_last) {
    cluster.log.begin(Stage::CarryLoads);
    straighten(cluster);
  }
  cluster.log.begin(Stage::Relax);
  relax_joints(cluster, is_last);
  solve_contacts(cluster, false);
  relax_squeezed_bodies(cluster);
  finish_running_balls(cluster);
  solve_jointed_impacts(cluster);
}

/// Runs the stages of a step up to the last substep. Returns false if the step must be repeated
/// with a higher Cluster::refinement, which has then been set.
bool try_substeps(Cluster& cluster) {
  cluster.log.begin(Stage::PrepareBodies);
  prepare_bodies(cluster);
  cluster.log.begin(Stage::ColourContacts);
  colour_contacts(cluster);
  cluster.log.begin(Stage::PrepareContacts);
  weigh_squeezed_bodies(cluster);
  prepare_contacts(cluster);
  free_distant_bodies(cluster);
  cluster.log.begin(Stage::PrepareJoints);
  prepare_joints(cluster);
  note_free_bodies(cluster);
  find_running_balls(cluster);
  if (cluster.refinement == 1) find_passive_groups(cluster);
  begin_jointed_impacts(cluster);
  begin_path(cluster);
  const int substeps = cluster.substeps();
  for (int i = 0; i < substeps; ++i) {
    solve_substep(cluster, i == 0, i + 1 == substeps);
    if (cluster.may_be_refined && refine_cluster(cluster)) return false;
    note_path(cluster);
  }
  return true;
}

void solve_cluster(Cluster& cluster) {
  while (!try_substeps(cluster)) {
  }
  keep_passive_energy(cluster);
  cluster.log.begin(Stage::Restitution);
  apply_restitution(cluster);
  cluster.log.begin(Stage::StoreImpulses);
  store_impulses(cluster);
  store_joint_impulses(cluster);
  unweigh_squeezed_bodies(cluster);
  cluster.log.begin(Stage::FinishBodies);
  finish_bodies(cluster);
  cluster.log.end();
}

Cluster cluster_of(WorldState& world, const ClusterRange& range, workers::WorkerPool& workers,
                   ClusterArrays& arrays, StageLog& log) {
  const ClusterLists& lists = world.clusters;
  return {world,
          workers,
          {&lists.bodies[range.first_body], range.body_count},
          std::span(lists.contacts).subspan(range.first_contact, range.contact_count),
          std::span(lists.joints).subspan(range.first_joint, range.joint_count),
          arrays.solver,
          arrays.joint_solver,
          arrays.begins,
          arrays.hits,
          arrays.paths,
          log,
          range.may_be_refined,
          range.may_be_squeezed};
}

/// Solves the large clusters one after the other, the largest last. The shared arrays then have the
/// size of the largest cluster when release_spare_memory decides how much memory to keep.
void solve_large(WorldState& world) {
  std::vector<const ClusterRange*> large;
  for (const ClusterRange& range : world.clusters.ranges)
    if (range.is_large) large.push_back(&range);
  std::ranges::stable_sort(large, {}, &ClusterRange::body_count);
  for (const ClusterRange* range : large) {
    Cluster cluster =
        cluster_of(world, *range, *world.runtime.workers, world.large_cluster, world.runtime.log);
    solve_cluster(cluster);
  }
}

/// Pool of scratch arrays for the threads that solve clusters. Results do not depend on which
/// arrays a cluster gets.
class ArraysInUse {
 public:
  explicit ArraysInUse(std::vector<std::unique_ptr<ClusterArrays>>& all) {
    for (const std::unique_ptr<ClusterArrays>& arrays : all)
      free_.push_back(arrays.get());
  }
  ClusterArrays& take() {
    const std::lock_guard lock(mutex_);
    ClusterArrays& taken = *free_.back();
    free_.pop_back();
    return taken;
  }
  void give_back(ClusterArrays& arrays) {
    const std::lock_guard lock(mutex_);
    free_.push_back(&arrays);
  }

 private:
  std::mutex mutex_;
  std::vector<ClusterArrays*> free_;
};

void begin_log(StageLog& log, StageClock clock) {
  log.clock = clock;
  log.spans.clear();
}

/// Solves the small clusters in parallel, each by one thread.
void solve_small(WorldState& world) {
  std::vector<const ClusterRange*> small;
  for (const ClusterRange& range : world.clusters.ranges)
    if (!range.is_large) small.push_back(&range);
  const auto threads = static_cast<std::size_t>(world.runtime.workers->threads());
  while (world.small_clusters.size() < threads)
    world.small_clusters.push_back(std::make_unique<ClusterArrays>());
  for (const std::unique_ptr<ClusterArrays>& arrays : world.small_clusters)
    begin_log(arrays->log, world.runtime.log.clock);
  if (small.empty()) return;
  const StageTimer timer(world.runtime.log, Stage::SmallIslands);
  ArraysInUse pool(world.small_clusters);
  const auto count = static_cast<std::uint32_t>(small.size());
  world.runtime.workers->for_each_block(count, [&](std::uint32_t i) {
    ClusterArrays& arrays = pool.take();
    Cluster cluster = cluster_of(world, *small[i], *world.runtime.alone, arrays, arrays.log);
    solve_cluster(cluster);
    pool.give_back(arrays);
  });
}

/// Quarantines bodies whose state is not finite or out of bounds, refits broad-phase proxies, and
/// lists bodies that moved farther than their velocity predicted (WorldState::thrown). This is
/// serial, because all clusters share the trees and the lists.
void finish_solved_bodies(WorldState& world) {
  const StageTimer timer(world.runtime.log, Stage::FinishBodies);
  world.thrown.clear();
  for (std::size_t i = 0; i < world.solved.size(); ++i) {
    const SolvedBody& solved = world.solved[i];
    const std::uint32_t body = world.awake_bodies[i];
    if (!solved.is_sound) {
      quarantine(world, body);
      continue;
    }
    if (solved.has_left_box) refit_proxies(world, body);
    if (solved.thrown != Throw::None) world.thrown.push_back({body, solved.thrown});
  }
}

/// Moves the events of a cluster to the world's lists, which are sorted at the end of the step, and
/// the paths of its islands.
void take_results(WorldState& world, ClusterArrays& arrays) {
  world.begins.insert(world.begins.end(), arrays.begins.begin(), arrays.begins.end());
  world.hits.insert(world.hits.end(), arrays.hits.begin(), arrays.hits.end());
  std::ranges::move(arrays.paths, std::back_inserter(world.paths));
  arrays.paths.clear();
  arrays.begins.clear();
  arrays.hits.clear();
}

}  // namespace

void solve_clusters(WorldState& world) {
  world.solved.resize(world.awake_bodies.size());
  world.starts.resize(world.awake_bodies.size());
  world.turns.resize(world.awake_bodies.size());
  world.paths.clear();
  solve_large(world);
  solve_small(world);
  take_results(world, world.large_cluster);
  for (const std::unique_ptr<ClusterArrays>& arrays : world.small_clusters)
    take_results(world, *arrays);
  finish_solved_bodies(world);
}

}  // namespace jostle::physics
