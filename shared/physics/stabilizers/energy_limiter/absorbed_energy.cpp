#include "shared/physics/stabilizers/energy_limiter/absorbed_energy.h"

#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/solver/cluster.h"

#include <bit>
#include <vector>

namespace jostle::physics {
namespace {

/// A manifold with restitution that has absorbed energy or done work.
struct Absorber {
  std::uint32_t body = 0;  // solver index of one of its dynamic bodies
  float* energy = nullptr;
  double weight = 0;  // 0 if the manifold does not bounce
};
/// Sums over the manifolds that dynamic bodies connect.
struct Pool {
  double energy = 0, weight = 0;
  std::uint32_t count = 0;
};

/// Calls `visit(bundle, bounce, lane)` for all manifolds with restitution.
template <typename Visit>
void for_each_bouncing(SolverArrays& solver, const Visit& visit) {
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [&](auto& bundles, auto& records) {
      for (std::size_t i = 0; i < bundles.size(); ++i) {
        BounceBundle& bounce = solver.bounces[count - 1][i];
        for (std::uint32_t lanes = records[i].used_lanes; lanes != 0; lanes &= lanes - 1) {
          const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
          if (bounce.restitution[lane] > 0.0f) visit(bundles[i], bounce, lane);
        }
      }
    });
  }
}

bool is_needed(SolverArrays& solver, float threshold) {
  bool bounces = false;
  int absorbers = 0;
  for_each_bouncing(solver, [&](const auto&, const BounceBundle& bounce, std::uint32_t lane) {
    bounces |= bounce.fastest[lane] <= -threshold;
    absorbers += bounce.absorbed[lane] != 0.0f ? 1 : 0;
  });
  return bounces && absorbers > 1;
}

/// Returns twice the energy that the impulses of a manifold would absorb if they stopped its
/// fastest approach, or 0 if it does not bounce.
template <typename Bundle>
double weight_of(const Bundle& bundle, const BounceBundle& bounce, std::uint32_t lane,
                 float threshold) {
  if (!(bounce.fastest[lane] <= -threshold)) return 0;
  double pressed = 0;
  for (const auto& point : bundle.points)
    pressed += static_cast<double>(point.step_impulse[lane]);
  return -pressed * static_cast<double>(bounce.fastest[lane]);
}

}  // namespace

void pool_absorbed_energy(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  const float threshold = cluster.world.options.restitution_threshold;
  if (!is_needed(solver, threshold)) return;
  std::vector<std::uint32_t> parents;
  DisjointSets sets(parents, static_cast<std::uint32_t>(solver.bodies.size()));
  std::vector<Absorber> absorbers;
  for_each_bouncing(solver, [&](const auto& bundle, BounceBundle& bounce, std::uint32_t lane) {
    if (bounce.absorbed[lane] == 0.0f) return;
    const std::uint32_t a = bundle.a[lane], b = bundle.b[lane];
    const bool moves_a = solver.bodies[a].is_dynamic, moves_b = solver.bodies[b].is_dynamic;
    if (moves_a && moves_b) sets.unite(a, b);
    absorbers.push_back(
        {moves_a ? a : b, &bounce.absorbed[lane], weight_of(bundle, bounce, lane, threshold)});
  });
  std::vector<Pool> pools(solver.bodies.size());
  for (const Absorber& absorber : absorbers) {
    Pool& pool = pools[sets.find(absorber.body)];
    pool.energy += static_cast<double>(*absorber.energy);
    pool.weight += absorber.weight;
    ++pool.count;
  }
  for (const Absorber& absorber : absorbers) {
    const Pool& pool = pools[sets.find(absorber.body)];
    if (pool.count > 1 && pool.weight > 0)
      *absorber.energy = static_cast<float>(pool.energy * (absorber.weight / pool.weight));
  }
}

}  // namespace jostle::physics
