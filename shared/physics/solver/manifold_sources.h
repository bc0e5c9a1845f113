#pragma once

#include "shared/physics/detail/prefetch.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/colour_runs.h"
#include "shared/physics/solver/kernels/kernel_table.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

// Kernels read manifolds and bodies as groups of eight floats.
static_assert(sizeof(ManifoldPoint) == manifold_point_floats * sizeof(float));
static_assert(offsetof(Manifold, normal) == 0 && offsetof(Manifold, friction_impulse) == 12 &&
              offsetof(Manifold, twist_impulse) == 24 && offsetof(Manifold, point_count) == 28);
static_assert(offsetof(ManifoldPoint, offset_a) == 0 && offsetof(ManifoldPoint, offset_b) == 12 &&
              offsetof(ManifoldPoint, separation) == 24 &&
              offsetof(ManifoldPoint, normal_impulse) == 28);
static_assert(Manifold::not_known == points_not_known);
static_assert(sizeof(SolverVelocity) == 32 && sizeof(SolverMotion) == 32 &&
              sizeof(SolverInertia) == 32 && sizeof(SolverGain) == 32);

/// Manifolds of a bundle. In lanes without a manifold, the pointers `contacts` and `manifolds` are
/// null, and `sources` points to an empty manifold.
struct LaneManifolds {
  std::array<Contact*, lane_count> contacts{};
  std::array<Manifold*, lane_count> manifolds{};
  ManifoldSources sources;
};

template <typename Records>
LaneManifolds manifolds_of(Cluster& cluster, const Records& records) {
  static constexpr Manifold nothing;
  LaneManifolds lanes;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const Manifold* source = &nothing;
    if ((records.used_lanes >> lane & 1U) != 0) {
      lanes.contacts[lane] = &cluster.world.contacts[records.contact[lane]];
      lanes.manifolds[lane] = &manifold_at(*lanes.contacts[lane], records.manifold[lane]);
      source = lanes.manifolds[lane];
    }
    lanes.sources.header[lane] = reinterpret_cast<const float*>(source);
    lanes.sources.points[lane] = reinterpret_cast<const float*>(source->points.data());
  }
  return lanes;
}

/// Prefetches the contacts of the bundle that is processed next. They are scattered in memory,
/// because contacts are stored in the order of their slots.
template <typename Records>
void fetch_manifolds(const Cluster& cluster, const Records& records) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    if ((records.used_lanes >> lane & 1U) != 0)
      prefetch(cluster.world.contacts[records.contact[lane]]);
  }
}

/// Calls `body(block)` for all contact blocks, in any order and on any thread, for work that does
/// not depend on colours.
template <typename Body>
void for_each_contact_block(Cluster& cluster, const Body& body) {
  run_all_blocks(cluster.workers, cluster.solver.contact_blocks, body);
}

}  // namespace jostle::physics
