#include "shared/physics/solver/impact_chains.h"

#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/chain_equations.h"
#include "shared/physics/solver/cluster.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace jostle::physics {

using math::Vec3d;

namespace {

/// Maximum number of contacts in a chain. Larger sets are piles, whose contacts bounce one by one
/// (kernels/bounce_kernel.h).
constexpr std::size_t max_contacts = 64;
Vec3d vector_at(const Lanes (&rows)[3], std::size_t lane) {
  return math::widened(vector_of(rows, lane));
}

double friction_limit(const SolverArrays& solver, const Blow& blow, double sliding) {
  if (!solver.has_grips) return sliding;
  return static_cast<double>(solver.grips[blow.point_count - 1][blow.bundle].friction[blow.lane]);
}

/// Returns the current speed at which the bodies separate, m/s.
double parting_speed(const SolverArrays& solver, const Blow& blow) {
  const auto speed_at = [&](std::uint32_t body, Vec3d arm) {
    const SolverVelocity& velocity = solver.velocities[body];
    return dot(blow.axes[0],
               math::widened(velocity.linear) + cross(math::widened(velocity.angular), arm));
  };
  return speed_at(blow.b, blow.arm_b) - speed_at(blow.a, blow.arm_a);
}

template <int N>
Blow blow_of(const Cluster& cluster, const ContactBundle<N>& bundle,
             const ContactRecords<N>& records, const Blow& place) {
  Blow blow = place;
  const SolverArrays& solver = cluster.solver;
  const std::uint32_t lane = blow.lane;
  const auto& point = bundle.points[blow.point];
  blow.a = bundle.a[lane];
  blow.b = bundle.b[lane];
  const Vec3d normal = vector_at(bundle.normal, lane), tangent = vector_at(bundle.tangent, lane);
  blow.axes[0] = normal;
  blow.axes[1] = tangent;
  blow.axes[2] = cross(normal, tangent);
  const Vec3d from_centre = blow.axes[1] * static_cast<double>(point.along_1[lane]) +
                            blow.axes[2] * static_cast<double>(point.along_2[lane]);
  blow.arm_a = vector_at(bundle.centre_a, lane) + from_centre;
  blow.arm_b = vector_at(bundle.centre_b, lane) + from_centre;
  if (solver.has_belts) blow.belt = vector_at(solver.belts[N - 1][blow.bundle].velocity, lane);
  blow.separation = static_cast<double>(point.separation[lane]);
  blow.gap = std::max(static_cast<double>(point.separation_now[lane]), 0.0);
  blow.approach = -static_cast<double>(records.approach_speed[blow.point][lane]);
  blow.is_due = blow.approach >= static_cast<double>(cluster.world.options.restitution_threshold) ||
                parting_speed(solver, blow) > pushed_apart;
  const BounceBundle& bounce = solver.bounces[N - 1][blow.bundle];
  blow.impact.restitution = static_cast<double>(bounce.restitution[lane]);
  blow.impact.friction = static_cast<double>(bundle.friction[lane]);
  blow.impact.static_friction = friction_limit(solver, blow, blow.impact.friction);
  blow.impact.impulse = static_cast<double>(point.step_impulse[lane]);
  return blow;
}

/// Adds the points of a manifold that have acted.
template <int N>
void add_blows(const Cluster& cluster, const ContactBundle<N>& bundle,
               const ContactRecords<N>& records, Blow place, std::vector<Blow>& blows) {
  for (place.point = 0; place.point < static_cast<std::uint32_t>(N); ++place.point) {
    if (!(bundle.points[place.point].max_impulse[place.lane] > 0.0f)) continue;
    blows.push_back(blow_of(cluster, bundle, records, place));
  }
}

/// Finds the blows of all manifolds of one point. Also finds those of manifolds with several points
/// if a joint acts on one of their bodies.
std::vector<Blow> find_blows(Cluster& cluster, std::span<const std::uint8_t> is_jointed) {
  std::vector<Blow> blows;
  SolverArrays& solver = cluster.solver;
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [&](const auto& bundles, const auto& records) {
      for (std::uint32_t i = 0; i < bundles.size(); ++i) {
        for (std::uint32_t lanes = records[i].used_lanes; lanes != 0; lanes &= lanes - 1) {
          const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
          if (!(solver.bounces[count - 1][i].restitution[lane] > 0.0f)) continue;
          const bool belongs = count == 1 || is_jointed[bundles[i].a[lane]] != 0 ||
                               is_jointed[bundles[i].b[lane]] != 0;
          if (belongs) add_blows(cluster, bundles[i], records[i], {count, i, lane}, blows);
        }
      }
    });
  }
  return blows;
}

/// Groups blows and joints into chains, which keep their order. Joints without blows are left out.
std::vector<Chain> chains_of(const Cluster& cluster, const std::vector<Blow>& blows,
                             const std::vector<ImpactJoint>& joints) {
  const std::vector<SolverBody>& bodies = cluster.solver.bodies;
  std::vector<std::uint32_t> parents;
  DisjointSets sets(parents, static_cast<std::uint32_t>(bodies.size()));
  const auto unite = [&](std::uint32_t a, std::uint32_t b) {
    if (bodies[a].is_dynamic && bodies[b].is_dynamic) sets.unite(a, b);
  };
  for (const Blow& blow : blows)
    unite(blow.a, blow.b);
  for (const ImpactJoint& joint : joints)
    unite(joint.a, joint.b);
  std::vector<Chain> chains;
  std::vector<std::uint32_t> chain_of(bodies.size(), no_index);
  const auto set_of = [&](std::uint32_t a, std::uint32_t b) {
    return sets.find(bodies[a].is_dynamic ? a : b);
  };
  for (const Blow& blow : blows) {
    std::uint32_t& chain = chain_of[set_of(blow.a, blow.b)];
    if (chain == no_index) {
      chain = static_cast<std::uint32_t>(chains.size());
      chains.emplace_back();
    }
    chains[chain].blows.push_back(blow);
  }
  for (const ImpactJoint& joint : joints) {
    const std::uint32_t chain = chain_of[set_of(joint.a, joint.b)];
    if (chain != no_index) chains[chain].joints.push_back(joint);
  }
  return chains;
}

bool is_chain(const Chain& chain) {
  return (chain.blows.size() > 1 || !chain.joints.empty()) && chain.blows.size() <= max_contacts &&
         std::ranges::any_of(chain.blows, &Blow::is_due);
}

}  // namespace

void play_impact_chains(Cluster& cluster) {
  const std::vector<ImpactJoint> joints = rigid_joints(cluster);
  std::vector<std::uint8_t> is_jointed(cluster.solver.bodies.size());
  for (const ImpactJoint& joint : joints)
    for (const std::uint32_t body : {joint.a, joint.b})
      is_jointed[body] = cluster.solver.bodies[body].is_dynamic ? 1 : 0;
  const std::vector<Blow> blows = find_blows(cluster, is_jointed);
  if (std::ranges::none_of(blows, &Blow::is_due)) return;
  for (Chain& chain : chains_of(cluster, blows, joints)) {
    if (!is_chain(chain)) continue;
    ChainEquations(cluster, chain).solve();
  }
}

}  // namespace jostle::physics
