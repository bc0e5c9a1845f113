#include "shared/physics/stabilizers/impact_propagation/impact_chains.h"

#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/stabilizers/impact_propagation/chain_equations.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <utility>
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

/// Returns the coefficient of static friction; `sliding` is that of kinetic friction.
double static_friction(const SolverArrays& solver, const ChainContact& contact, double sliding) {
  if (!solver.has_grips) return sliding;
  return static_cast<double>(
      solver.grips[contact.point_count - 1][contact.bundle].friction[contact.lane]);
}

/// Returns the speed at which the bodies of a contact separate along its normal.
/// `velocity_of(body)` returns linear and angular velocity.
template <typename Velocities>
double parting_speed(const ChainContact& contact, const Velocities& velocity_of) {
  const auto speed_at = [&](std::uint32_t body, Vec3d arm) {
    const auto [linear, angular] = velocity_of(body);
    return dot(contact.axes[0], math::widened(linear) + cross(math::widened(angular), arm));
  };
  return speed_at(contact.b, contact.arm_b) - speed_at(contact.a, contact.arm_a);
}

/// Sets the parts of a contact that decide whether it is due.
void predict(const Cluster& cluster, ImpactPhase phase, double approach_in_step,
             ChainContact& contact) {
  using Pair = std::pair<math::Vec3, math::Vec3>;
  const SolverArrays& solver = cluster.solver;
  const double parting = parting_speed(contact, [&](std::uint32_t body) {
    return Pair{solver.velocities[body].linear, solver.velocities[body].angular};
  });
  contact.approach = approach_in_step;
  if (phase == ImpactPhase::Substep) {
    contact.approach = -parting_speed(contact, [&](std::uint32_t body) {
      const BodyBlock& block = solver.body_blocks[body / lane_count];
      return Pair{vector_of(block.base_linear, body % lane_count),
                  vector_of(block.base_angular, body % lane_count)};
    });
  }
  contact.is_pushed_apart = parting > pushed_apart;
  contact.may_bounce =
      contact.is_pushed_apart ||
      contact.approach >= static_cast<double>(cluster.world.options.restitution_threshold);
}

template <int N>
ChainContact chain_contact_of(const Cluster& cluster, ImpactPhase phase,
                              const ContactBundle<N>& bundle, const ContactRecords<N>& records,
                              const ChainContact& place) {
  ChainContact contact = place;
  const SolverArrays& solver = cluster.solver;
  const std::uint32_t lane = contact.lane;
  const auto& point = bundle.points[contact.point];
  contact.a = bundle.a[lane];
  contact.b = bundle.b[lane];
  const Vec3d normal = vector_at(bundle.normal, lane), tangent = vector_at(bundle.tangent, lane);
  contact.axes[0] = normal;
  contact.axes[1] = tangent;
  contact.axes[2] = cross(normal, tangent);
  const Vec3d from_centre = contact.axes[1] * static_cast<double>(point.along_1[lane]) +
                            contact.axes[2] * static_cast<double>(point.along_2[lane]);
  contact.arm_a = vector_at(bundle.centre_a, lane) + from_centre;
  contact.arm_b = vector_at(bundle.centre_b, lane) + from_centre;
  if (solver.has_belts)
    contact.belt = vector_at(solver.belts[N - 1][contact.bundle].velocity, lane);
  const bool is_substep = phase == ImpactPhase::Substep;
  const BounceBundle& bounce = solver.bounces[N - 1][contact.bundle];
  contact.separation = static_cast<double>(
      (is_substep ? bounce.separation_before[contact.point] : point.separation)[lane]);
  contact.gap = std::max(static_cast<double>(point.separation_now[lane]), 0.0);
  predict(cluster, phase, -static_cast<double>(records.approach_speed[contact.point][lane]),
          contact);
  contact.impact.restitution = static_cast<double>(bounce.restitution[lane]);
  contact.impact.friction = static_cast<double>(bundle.friction[lane]);
  contact.impact.static_friction = static_friction(solver, contact, contact.impact.friction);
  contact.impact.impulse =
      static_cast<double>((is_substep ? point.impulse : point.step_impulse)[lane]);
  contact.absorbed = std::max(static_cast<double>(bounce.absorbed[lane]), 0.0);
  contact.impulse_before = static_cast<double>(point.impulse_before[lane]);
  return contact;
}

/// Adds the points of a manifold that have acted in the phase.
template <int N>
void add_chain_contacts(const Cluster& cluster, ImpactPhase phase, const ContactBundle<N>& bundle,
                        const ContactRecords<N>& records, ChainContact place,
                        std::vector<ChainContact>& contacts) {
  for (place.point = 0; place.point < static_cast<std::uint32_t>(N); ++place.point) {
    const auto& point = bundle.points[place.point];
    const Lanes& acted = phase == ImpactPhase::Substep ? point.impulse : point.max_impulse;
    if (acted[place.lane] > 0.0f)
      contacts.push_back(chain_contact_of(cluster, phase, bundle, records, place));
  }
}

/// Calls `visit(bundle, records, bounce)` for all bundles of contacts.
template <typename Visit>
void for_each_bounce(Cluster& cluster, const Visit& visit) {
  for (std::uint32_t count = 1; count <= 4; ++count) {
    cluster.solver.bundles.visit(count, [&](auto& bundles, const auto& records) {
      for (std::size_t i = 0; i < bundles.size(); ++i)
        visit(bundles[i], records[i], cluster.solver.bounces[count - 1][i]);
    });
  }
}

void unite_dynamic(const Cluster& cluster, DisjointSets& sets, std::uint32_t a, std::uint32_t b) {
  const std::vector<SolverBody>& bodies = cluster.solver.bodies;
  if (bodies[a].is_dynamic && bodies[b].is_dynamic) sets.unite(a, b);
}
std::uint32_t dynamic_one(const Cluster& cluster, std::uint32_t a, std::uint32_t b) {
  return cluster.solver.bodies[a].is_dynamic ? a : b;
}

/// Flags the dynamic bodies that contacts with restitution and joints connect with a rigid joint,
/// by solver index. Includes contacts that have not acted yet, since impacts may follow each other.
std::vector<std::uint8_t> find_jointed(Cluster& cluster, std::span<const ImpactJoint> joints) {
  const std::vector<SolverBody>& bodies = cluster.solver.bodies;
  std::vector<std::uint8_t> is_jointed(bodies.size());
  if (joints.empty()) return is_jointed;
  std::vector<std::uint32_t> parents;
  DisjointSets sets(parents, static_cast<std::uint32_t>(bodies.size()));
  for_each_bounce(cluster,
                  [&](const auto& bundle, const auto& records, const BounceBundle& bounce) {
                    for (std::uint32_t lanes = records.used_lanes; lanes != 0; lanes &= lanes - 1) {
                      const int lane = std::countr_zero(lanes);
                      if (bounce.restitution[lane] > 0.0f)
                        unite_dynamic(cluster, sets, bundle.a[lane], bundle.b[lane]);
                    }
                  });
  for (const ImpactJoint& joint : joints)
    unite_dynamic(cluster, sets, joint.a, joint.b);
  std::vector<std::uint8_t> has_joint(bodies.size());
  for (const ImpactJoint& joint : joints)
    has_joint[sets.find(dynamic_one(cluster, joint.a, joint.b))] = 1;
  for (std::uint32_t body = 0; body < bodies.size(); ++body)
    is_jointed[body] = bodies[body].is_dynamic ? has_joint[sets.find(body)] : 0;
  return is_jointed;
}

/// Finds the contacts of all manifolds of one point. Also finds those of manifolds with several
/// points if one of their bodies is flagged in `is_jointed`.
std::vector<ChainContact> find_chain_contacts(Cluster& cluster, ImpactPhase phase,
                                              std::span<const std::uint8_t> is_jointed) {
  std::vector<ChainContact> contacts;
  SolverArrays& solver = cluster.solver;
  for (std::uint32_t count = 1; count <= 4; ++count) {
    solver.bundles.visit(count, [&](const auto& bundles, const auto& records) {
      for (std::uint32_t i = 0; i < bundles.size(); ++i) {
        for (std::uint32_t lanes = records[i].used_lanes; lanes != 0; lanes &= lanes - 1) {
          const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
          if (!(solver.bounces[count - 1][i].restitution[lane] > 0.0f)) continue;
          const bool belongs = count == 1 || is_jointed[bundles[i].a[lane]] != 0 ||
                               is_jointed[bundles[i].b[lane]] != 0;
          ChainContact place;
          place.point_count = count;
          place.bundle = i;
          place.lane = lane;
          if (belongs) add_chain_contacts(cluster, phase, bundles[i], records[i], place, contacts);
        }
      }
    });
  }
  return contacts;
}

/// Groups contacts and joints into chains, which keep their order. Joints without contacts are left
/// out.
std::vector<Chain> chains_of(const Cluster& cluster, const std::vector<ChainContact>& contacts,
                             const std::vector<ImpactJoint>& joints) {
  const std::vector<SolverBody>& bodies = cluster.solver.bodies;
  std::vector<std::uint32_t> parents;
  DisjointSets sets(parents, static_cast<std::uint32_t>(bodies.size()));
  for (const ChainContact& contact : contacts)
    unite_dynamic(cluster, sets, contact.a, contact.b);
  for (const ImpactJoint& joint : joints)
    unite_dynamic(cluster, sets, joint.a, joint.b);
  std::vector<Chain> chains;
  std::vector<std::uint32_t> chain_of(bodies.size(), no_index);
  const auto set_of = [&](std::uint32_t a, std::uint32_t b) {
    return sets.find(dynamic_one(cluster, a, b));
  };
  for (const ChainContact& contact : contacts) {
    std::uint32_t& chain = chain_of[set_of(contact.a, contact.b)];
    if (chain == no_index) {
      chain = static_cast<std::uint32_t>(chains.size());
      chains.emplace_back();
    }
    chains[chain].contacts.push_back(contact);
  }
  for (const ImpactJoint& joint : joints) {
    const std::uint32_t chain = chain_of[set_of(joint.a, joint.b)];
    if (chain != no_index) chains[chain].joints.push_back(joint);
  }
  return chains;
}

bool is_chain(const Chain& chain, ImpactPhase phase, std::span<const std::uint8_t> is_jointed) {
  const bool has_joints = std::ranges::any_of(chain.contacts, [&](const ChainContact& contact) {
    return is_jointed[contact.a] != 0 || is_jointed[contact.b] != 0;
  });
  const bool has_enough =
      phase == ImpactPhase::Substep ? has_joints : !has_joints && chain.contacts.size() > 1;
  return has_enough && chain.contacts.size() <= max_contacts &&
         std::ranges::any_of(chain.contacts, &ChainContact::may_bounce);
}

void solve_impacts(Cluster& cluster, ImpactPhase phase) {
  if (!cluster.world.uses(Stabilizer::ImpactPropagation)) return;
  const std::vector<ImpactJoint> joints = rigid_joints(cluster);
  if (phase == ImpactPhase::Substep && joints.empty()) return;
  const std::vector<std::uint8_t> is_jointed = find_jointed(cluster, joints);
  const std::vector<ChainContact> contacts = find_chain_contacts(cluster, phase, is_jointed);
  if (std::ranges::none_of(contacts, &ChainContact::may_bounce)) return;
  for (Chain& chain : chains_of(cluster, contacts, joints))
    if (is_chain(chain, phase, is_jointed)) ChainEquations(cluster, chain, phase).solve();
}

void note_separations(Cluster& cluster) {
  for_each_bounce(
      cluster, [&]<int N>(const ContactBundle<N>& bundle, const auto&, BounceBundle& bounce) {
        for (int k = 0; k < N; ++k)
          std::copy(std::begin(bundle.points[k].separation_now),
                    std::end(bundle.points[k].separation_now), bounce.separation_before[k]);
      });
}

/// Clears the restitution of contacts that have bounced.
void end_bounces(Cluster& cluster) {
  for_each_bounce(cluster, [&](const auto&, const auto&, BounceBundle& bounce) {
    for (std::uint32_t lanes = bounce.has_bounced; lanes != 0; lanes &= lanes - 1)
      bounce.restitution[std::countr_zero(lanes)] = 0;
    bounce.has_bounced = 0;
  });
}

}  // namespace

void begin_jointed_impacts(Cluster& cluster) {
  if (cluster.solver.has_restitution && !cluster.joints.empty()) note_separations(cluster);
}

void solve_jointed_impacts(Cluster& cluster) {
  if (!cluster.solver.has_restitution || cluster.joints.empty()) return;
  solve_impacts(cluster, ImpactPhase::Substep);
  note_separations(cluster);
}

void end_jointed_impacts(Cluster& cluster) {
  end_bounces(cluster);
}

void solve_impact_chains(Cluster& cluster) {
  solve_impacts(cluster, ImpactPhase::Step);
  end_bounces(cluster);
}

}  // namespace jostle::physics
