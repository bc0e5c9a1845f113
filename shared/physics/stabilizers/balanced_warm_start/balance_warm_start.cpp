#include "shared/physics/stabilizers/balanced_warm_start/balance_warm_start.h"

#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/body_solver.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/contact_solver.h"

#include <vector>

namespace jostle::physics {
namespace {

using math::Vec3;

/// Allowed change of velocity by the warm start, without relative motion at contacts:
/// `allowed_gains` times the change by gravity and force in a substep, plus `allowed_speed`, m/s.
constexpr float allowed_gains = 8.0f, allowed_speed = 0.1f;

struct Change {
  Vec3 linear, angular;
};

Vec3 lane_vector(const Lanes (&rows)[3], std::size_t lane) {
  return {rows[0][lane], rows[1][lane], rows[2][lane]};
}

/// Returns the change of velocity of a body by the warm start.
Change change_of(const SolverArrays& solver, std::size_t body) {
  const BodyBlock& block = solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  return {lane_vector(block.carried_linear, lane), lane_vector(block.carried_angular, lane)};
}

Change velocity_before(const SolverArrays& solver, std::size_t body) {
  if (body == 0) return {};
  if (!solver.bodies[body].is_dynamic)
    return {solver.velocities[body].linear, solver.velocities[body].angular};
  const BodyBlock& block = solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  return {lane_vector(block.base_linear, lane), lane_vector(block.base_angular, lane)};
}

/// Returns an upper bound of the speed, m/s, that a change of velocity gives to any point of a
/// body. `extent` is the largest distance of a point from the body's centre, m.
float speed_of(const Change& change, float extent) {
  return length(change.linear) + length(change.angular) * extent;
}

float extent_of(const Cluster& cluster, std::size_t body) {
  const std::uint32_t slot = cluster.solver.bodies[body].body;
  return slot == no_index ? 0.0f : cluster.world.bodies[slot].extent;
}

bool is_jointed(const Cluster& cluster, std::size_t body) {
  const std::uint32_t slot = cluster.solver.bodies[body].body;
  return slot != no_index && cluster.world.bodies[slot].first_joint_edge != no_index;
}

/// Allowed and actual change of velocity, m/s, of the bodies whose warm start exceeds the limit for
/// contacts without relative motion.
struct Excess {
  std::vector<float> allowed, speed;  // by solver index; `speed` is 0 for other bodies
  bool is_any = false;
};

Excess find_excess(const Cluster& cluster) {
  const SolverArrays& solver = cluster.solver;
  Excess excess;
  for (std::size_t i = 1; i <= cluster.bodies.size(); ++i) {
    if (!solver.bodies[i].is_dynamic || is_jointed(cluster, i)) continue;
    const float speed = speed_of(change_of(solver, i), extent_of(cluster, i));
    const BodyBlock& block = solver.body_blocks[i / lane_count];
    const float gain = length(lane_vector(block.linear_gain, i % lane_count));
    const float allowed = allowed_gains * gain + allowed_speed;
    if (!(speed > allowed)) continue;
    if (!excess.is_any) {
      excess.is_any = true;
      excess.allowed.assign(solver.bodies.size(), 0.0f);
      excess.speed.assign(solver.bodies.size(), 0.0f);
    }
    excess.allowed[i] = allowed;
    excess.speed[i] = speed;
  }
  return excess;
}

/// Raises the allowed speeds by the relative velocities at the contacts.
void allow_relative_speeds(const Cluster& cluster, Excess& excess) {
  const SolverArrays& solver = cluster.solver;
  std::vector<float> relative(solver.bodies.size(), 0.0f);
  for (const ColouredContact& entry : solver.coloured) {
    if (excess.speed[entry.a] == 0.0f && excess.speed[entry.b] == 0.0f) continue;
    const Change a = velocity_before(solver, entry.a), b = velocity_before(solver, entry.b);
    const float speed = length(b.linear - a.linear) +
                        length(a.angular) * extent_of(cluster, entry.a) +
                        length(b.angular) * extent_of(cluster, entry.b);
    for (const std::uint32_t body : {entry.a, entry.b})
      relative[body] = math::max_of(relative[body], speed);
  }
  for (std::size_t i = 0; i < relative.size(); ++i)
    excess.allowed[i] += relative[i];
}

float share_of(const Excess& excess, std::uint32_t body) {
  const float speed = excess.speed[body];
  return speed > excess.allowed[body] ? excess.allowed[body] / speed : 1.0f;
}

template <typename Bundle>
void scale_lane(Bundle& bundle, std::size_t lane, float share) {
  for (auto& point : bundle.points) {
    point.impulse[lane] *= share;
    point.impulse_before[lane] *= share;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    bundle.tangent_impulse[i][lane] *= share;
    bundle.tangent_before[i][lane] *= share;
  }
  bundle.twist_impulse[lane] *= share;
  bundle.twist_before[lane] *= share;
}

void scale_impulses(Cluster& cluster, const Excess& excess) {
  for (std::uint32_t kind = 1; kind <= 4; ++kind) {
    cluster.solver.bundles.visit(kind, [&](auto& bundles, auto&) {
      for (std::size_t i = 0; i < bundles.size(); ++i) {
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
          const float share = math::min_of(share_of(excess, bundles[i].a[lane]),
                                           share_of(excess, bundles[i].b[lane]));
          if (share >= 1.0f) continue;
          scale_lane(bundles[i], lane, share);
          if (!cluster.solver.has_resistance) continue;
          for (auto& row : cluster.solver.resistances[kind - 1][i].impulse)
            row[lane] *= share;
        }
      }
    });
  }
}

void restore_velocities(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  for (std::size_t i = 1; i <= cluster.bodies.size(); ++i) {
    if (!solver.bodies[i].is_dynamic) continue;
    const Change before = velocity_before(solver, i);
    solver.velocities[i].linear = before.linear;
    solver.velocities[i].angular = before.angular;
  }
}

}  // namespace

void balance_warm_start(Cluster& cluster) {
  if (!cluster.world.uses(Stabilizer::BalancedWarmStart)) return;
  Excess excess = find_excess(cluster);
  if (!excess.is_any) return;
  allow_relative_speeds(cluster, excess);
  scale_impulses(cluster, excess);
  restore_velocities(cluster);
  warm_start_contacts(cluster);
  note_warm_start(cluster);
}

}  // namespace jostle::physics
