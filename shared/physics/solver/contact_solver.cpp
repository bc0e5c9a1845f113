#include "shared/physics/solver/contact_solver.h"

#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/colour_runs.h"
#include "shared/physics/solver/kernel_view.h"
#include "shared/physics/solver/manifold_sources.h"
#include "shared/physics/stabilizers/energy_limiter/absorbed_energy.h"
#include "shared/physics/stabilizers/impact_propagation/impact_chains.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace jostle::physics {
namespace {

Softness make_softness(float hertz, float damping_ratio, float h) {
  if (hertz == 0.0f) return {};
  const float omega = 2.0f * math::pi * hertz;
  const float damping = 2.0f * damping_ratio + h * omega;
  const float c = h * omega * damping;
  const float scale = 1.0f / (1.0f + c);
  return {omega / damping, c * scale, scale};
}

void set_softness(Cluster& cluster) {
  const WorldOptions& options = cluster.world.options;
  const float h = cluster.solver.substep_seconds;
  const float hertz = math::min_of(options.contact_hertz, max_hertz_per_substep_rate / h);
  cluster.solver.softness = make_softness(hertz, options.contact_damping_ratio, h);
}

/// Runs a kernel over all contacts, one colour after the other.
void run_coloured(Cluster& cluster, const BlockKernel (&kernels)[4]) {
  const SolverArrays& solver = cluster.solver;
  const KernelView view = make_kernel_view(cluster);
  for (const ColourRange& colour : solver.contact_blocks.colours) {
    run_colour(cluster.workers, solver.contact_blocks, colour, [&](const ColourBlock& block) {
      kernels[block.kind - 1](view, block.first, block.last);
    });
  }
}

template <typename Bundle>
void set_materials(const LaneManifolds& lanes, Bundle& bundle) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const Contact* contact = lanes.contacts[lane];
    bundle.is_held[lane] = contact != nullptr && lanes.manifolds[lane]->is_held ? 1.0f : 0.0f;
    bundle.friction[lane] = contact != nullptr ? contact->material.friction : 0.0f;
  }
}

void set_restitution(const LaneManifolds& lanes, BounceBundle& bounce) {
  bounce.has_bounced = 0;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const Contact* contact = lanes.contacts[lane];
    bounce.restitution[lane] = contact != nullptr ? contact->material.restitution : 0.0f;
    bounce.absorbed[lane] = 0;
    bounce.fastest[lane] = 0;
  }
}

void set_resistance(const LaneManifolds& lanes, ResistanceBundle& resistance) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const Contact* contact = lanes.contacts[lane];
    resistance.rolling[lane] = contact != nullptr ? contact->material.rolling_resistance : 0.0f;
    resistance.spinning[lane] = contact != nullptr ? contact->material.spinning_resistance : 0.0f;
    const math::Vec3 impulse =
        contact != nullptr ? lanes.manifolds[lane]->resistance_impulse : math::Vec3{};
    resistance.impulse[0][lane] = impulse.x;
    resistance.impulse[1][lane] = impulse.y;
    resistance.impulse[2][lane] = impulse.z;
  }
}

float load_of(const Manifold& manifold) {
  float load = 0;
  for (std::uint32_t i = 0; i < manifold.point_count; ++i)
    load += manifold.points[i].normal_impulse;
  return load;
}

void sum_grip_loads(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  solver.grip_loads.assign(solver.bodies.size(), {});
  for (const ColouredContact& entry : solver.coloured) {
    const float load = load_of(manifold_at(cluster.world.contacts[entry.contact], entry.manifold));
    for (const std::uint32_t body : {entry.a, entry.b}) {
      if (!solver.bodies[body].is_dynamic) continue;
      solver.grip_loads[body].pressed += load;
      ++solver.grip_loads[body].count;
    }
  }
}

/// Returns the share of a body's sliding momentum that a manifold must stop. It is the normal
/// impulse `load` of the manifold, divided by the sum for all manifolds of the body. If `load` is
/// 0, the share is 1/n for a body with n manifolds. Of the shares of the bodies a and b, the larger
/// one is returned. For example, the contact of a box on a table must stop the box alone, however
/// many legs the table has. Returns 0 if neither body is dynamic.
float grip_share(const SolverArrays& solver, float load, std::uint32_t a, std::uint32_t b) {
  float share = 0;
  for (const std::uint32_t body : {a, b}) {
    const GripLoad& all = solver.grip_loads[body];
    if (all.count == 0) continue;
    share = math::max_of(share,
                         load > 0.0f ? load / all.pressed : 1.0f / static_cast<float>(all.count));
  }
  return share;
}

template <typename Bundle>
void set_grips(const SolverArrays& solver, const LaneManifolds& lanes, const Bundle& bundle,
               GripBundle& grips) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const Contact* contact = lanes.contacts[lane];
    grips.friction[lane] = contact != nullptr ? contact->material.static_friction : 0.0f;
    grips.share[lane] = contact != nullptr ? grip_share(solver, load_of(*lanes.manifolds[lane]),
                                                        bundle.a[lane], bundle.b[lane])
                                           : 0.0f;
  }
}

/// Prepares contacts that may bounce, so that the energy that they absorb is exact. follow_turn
/// recomputes the inertia of their bodies in each substep. Overlap is ignored, because the bounce
/// separates the shapes. If the passes pushed them apart and the bodies turned meanwhile, the relax
/// phase would not remove the energy of the push.
template <typename Bundle, typename Records>
void prepare_bounces(Cluster& cluster, const BounceBundle& bounce, Bundle& bundle,
                     const Records& records) {
  const float slow = -cluster.world.options.restitution_threshold;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const auto closes = [&](const Lanes& speeds) {
      return speeds[lane] < 0.0f && speeds[lane] <= slow;
    };
    if (!(bounce.restitution[lane] > 0.0f)) continue;
    const bool is_approached = !std::ranges::none_of(records.approach_speed, closes);
    if (!is_approached) continue;
    for (const std::uint32_t body : {bundle.a[lane], bundle.b[lane]})
      cluster.solver.body_blocks[body / lane_count].slenderness[body % lane_count] =
          always_follow_turn;
    for (auto& point : bundle.points) {
      point.separation[lane] = math::max_of(point.separation[lane], 0.0f);
      point.separation_now[lane] = point.separation[lane];
    }
  }
}

void prepare_bounces(Cluster& cluster) {
  // Serial, because several contacts may mark the same body.
  for (const ColourBlock& block : cluster.solver.contact_blocks.blocks) {
    cluster.solver.bundles.visit(block.kind, [&](auto& bundles, auto& records) {
      for (std::uint32_t i = block.first; i < block.last; ++i)
        prepare_bounces(cluster, cluster.solver.bounces[block.kind - 1][i], bundles[i], records[i]);
    });
  }
}

math::Vec3 surface_velocity(const WorldState& world, std::uint32_t shape) {
  return world.places[shape].axes * world.shapes[shape].def.surface_velocity;
}

void set_belts(const WorldState& world, const LaneManifolds& lanes, BeltBundle& belts) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const Contact* contact = lanes.contacts[lane];
    const bool runs = contact != nullptr && contact->has_belt;
    set(belts.velocity, lane,
        runs ? surface_velocity(world, contact->shape_b) - surface_velocity(world, contact->shape_a)
             : math::Vec3{});
  }
}

template <typename Bundle>
void set_locks(const SolverArrays& solver, const Bundle& bundle, LockBundle& locks) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const state::MotionLocks a = solver.bodies[bundle.a[lane]].locks;
    const state::MotionLocks b = solver.bodies[bundle.b[lane]].locks;
    set_lane(locks, lane, a, b);
  }
}

/// Returns the approach speed above which a manifold bounces, m/s.
float bounce_speed(const Cluster& cluster, std::uint32_t point_count, std::size_t bundle,
                   std::size_t lane) {
  constexpr float never = 1e30f;
  const SolverArrays& solver = cluster.solver;
  if (!solver.has_restitution) return never;
  const float restitution = solver.bounces[point_count - 1][bundle].restitution[lane];
  return restitution > 0.0f ? cluster.world.options.restitution_threshold : never;
}

/// Returns true if a point of the manifold would touch after `seconds` at its predicted speed, and
/// is slower than `bounce_speed`.
template <int N>
bool will_hold(const ContactBundle<N>& bundle, const ContactRecords<N>& records, std::size_t lane,
               float seconds, float bounce_speed) {
  for (int k = 0; k < N; ++k) {
    const float speed = records.approach_speed[k][lane];
    const bool touches = bundle.points[k].separation[lane] + speed * seconds <= 0.0f;
    if (touches && speed > -bounce_speed) return true;
  }
  return false;
}

}  // namespace

void prepare_contacts(Cluster& cluster) {
  set_softness(cluster);
  if (cluster.solver.has_grips) sum_grip_loads(cluster);
  const KernelView view = make_kernel_view(cluster);
  const KernelTable& kernels = *cluster.world.runtime.kernels;
  for_each_contact_block(cluster, [&](const ColourBlock& block) {
    cluster.solver.bundles.visit(block.kind, [&](auto& bundles, auto& records) {
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        if (i + 1 < block.last) fetch_manifolds(cluster, records[i + 1]);
        const LaneManifolds lanes = manifolds_of(cluster, records[i]);
        set_materials(lanes, bundles[i]);
        if (cluster.solver.has_restitution)
          set_restitution(lanes, cluster.solver.bounces[block.kind - 1][i]);
        if (cluster.solver.has_resistance)
          set_resistance(lanes, cluster.solver.resistances[block.kind - 1][i]);
        if (cluster.solver.has_grips)
          set_grips(cluster.solver, lanes, bundles[i], cluster.solver.grips[block.kind - 1][i]);
        if (cluster.solver.has_belts)
          set_belts(cluster.world, lanes, cluster.solver.belts[block.kind - 1][i]);
        if (cluster.solver.has_locks)
          set_locks(cluster.solver, bundles[i], cluster.solver.locks[block.kind - 1][i]);
        kernels.prepare_contacts[block.kind - 1](view, i, lanes.sources);
      }
    });
  });
  if (cluster.solver.has_restitution) prepare_bounces(cluster);
}

void free_distant_bodies(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  const auto is_jointed = [&](const SolverBody& body) { return has_joints(cluster, body); };
  if (solver.coloured.empty() || std::ranges::none_of(solver.bodies, is_jointed)) return;
  const float seconds = cluster.world.options.step_seconds;
  std::vector<std::uint8_t> is_held(solver.bodies.size());
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [&](const auto& bundles, const auto& records) {
      for (std::size_t i = 0; i < bundles.size(); ++i) {
        for (std::uint32_t lanes = records[i].used_lanes; lanes != 0; lanes &= lanes - 1) {
          const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
          const float fast = bounce_speed(cluster, count, i, lane);
          if (will_hold(bundles[i], records[i], lane, seconds, fast))
            is_held[bundles[i].a[lane]] = is_held[bundles[i].b[lane]] = 1;
        }
      }
    });
  }
  for (std::size_t i = 0; i < solver.bodies.size(); ++i) {
    if (is_held[i] == 0 && is_jointed(solver.bodies[i])) solver.bodies[i].is_free = true;
  }
}

void measure_turned_contacts(Cluster& cluster) {
  const std::vector<std::uint8_t>& turned = cluster.solver.turned_lanes;
  if (std::ranges::all_of(turned, [](std::uint8_t lanes) { return lanes == 0; })) return;
  const KernelView view = make_kernel_view(cluster);
  for_each_contact_block(cluster, [&](const ColourBlock& block) {
    cluster.world.runtime.kernels->measure_contacts[block.kind - 1](view, block.first, block.last);
  });
}

void warm_start_contacts(Cluster& cluster) {
  run_coloured(cluster, cluster.world.runtime.kernels->warm_start);
}

void note_carried_impulses(Cluster& cluster) {
  if (!cluster.solver.has_restitution) return;
  const KernelView view = make_kernel_view(cluster);
  for_each_contact_block(cluster, [&](const ColourBlock& block) {
    cluster.world.runtime.kernels->note_carried[block.kind - 1](view, block.first, block.last);
  });
}

void solve_contacts(Cluster& cluster, bool uses_bias) {
  const KernelTable& kernels = *cluster.world.runtime.kernels;
  run_coloured(cluster, uses_bias ? kernels.solve : kernels.relax);
}

void relax_contacts(Cluster& cluster, std::span<const ColourBlock> blocks) {
  const KernelView view = make_kernel_view(cluster);
  for (const ColourBlock& block : blocks)
    cluster.world.runtime.kernels->relax[block.kind - 1](view, block.first, block.last);
}

void apply_restitution(Cluster& cluster) {
  if (!cluster.solver.has_restitution) return;
  end_jointed_impacts(cluster);
  pool_absorbed_energy(cluster);
  solve_impact_chains(cluster);
  run_coloured(cluster, cluster.world.runtime.kernels->restitute);
}

}  // namespace jostle::physics
