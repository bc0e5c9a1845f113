#include "shared/physics/stabilizers/mass_ratios/squeezed_bodies.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/prefetch.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/contact_solver.h"

#include <algorithm>

namespace jostle::physics {

using math::Vec3;

namespace {

/// Returns true if the cluster has contacts, and any contact or joint connects bodies whose masses
/// differ so much that one could squeeze the other.
bool has_uneven_pair(const Cluster& cluster) {
  const std::vector<ColouredContact>& contacts = cluster.solver.coloured;
  const auto are_contacts_uneven = [&](const ColouredContact& contact) {
    return are_uneven(cluster.solver.velocities[contact.a].inverse_mass,
                      cluster.solver.velocities[contact.b].inverse_mass);
  };
  const auto are_joined_uneven = [&](std::uint32_t joint) {
    const JointDef& def = cluster.world.joints[joint].solved();
    return are_uneven(cluster.world.bodies[def.body_a.index].inverse_mass,
                      cluster.world.bodies[def.body_b.index].inverse_mass);
  };
  return !contacts.empty() && (std::ranges::any_of(contacts, are_contacts_uneven) ||
                               std::ranges::any_of(cluster.joints, are_joined_uneven));
}

/// Returns true if a bounce at the contact is solved with its neighbours (impact_chains.h), exactly
/// at any mass ratio.
bool bounces_in_chain(const Cluster& cluster, const ColouredContact& contact,
                      const Manifold& manifold) {
  const WorldState& world = cluster.world;
  if (!(world.contacts[contact.contact].material.restitution > 0.0f) ||
      !world.uses(Stabilizer::ImpactPropagation)) {
    return false;
  }
  return manifold.point_count == 1 || has_joints(cluster, contact.a) ||
         has_joints(cluster, contact.b);
}

/// Returns true if any point of the manifold touches, or will touch within the step. Contacts that
/// bounce exactly do not count.
bool is_meeting(const Cluster& cluster, const ColouredContact& contact, const Manifold& manifold) {
  const SolverVelocity &a = cluster.solver.velocities[contact.a],
                       &b = cluster.solver.velocities[contact.b];
  const WorldOptions& options = cluster.world.options;
  const bool in_chain = bounces_in_chain(cluster, contact, manifold);
  const float bouncing = options.restitution_threshold * options.step_seconds;
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    const Vec3 way = (b.linear + cross(b.angular, point.offset_b) - a.linear -
                      cross(a.angular, point.offset_a)) *
                     options.step_seconds;
    const float approach = -dot(manifold.normal, way);
    if (in_chain && math::abs_of(approach) > bouncing) continue;
    if (point.separation - math::max_of(approach, 0.0f) < touch_distance) return true;
  }
  return false;
}

bool overlaps_deep(const Manifold& manifold) {
  for (std::uint32_t i = 0; i < manifold.point_count; ++i)
    if (manifold.points[i].separation < -squeezed_depth) return true;
  return false;
}

/// Adds links for the joints of bodies that overlap another body deeply. Other joints, such as
/// those of wheels and feet, bear their loads without help.
void add_joints(Cluster& cluster, SqueezedBodies& squeezed) {
  for (const std::uint32_t index : cluster.joints) {
    const JointDef& def = cluster.world.joints[index].solved();
    const std::uint32_t a = solver_index(cluster.world.bodies[def.body_a.index]);
    const std::uint32_t b = solver_index(cluster.world.bodies[def.body_b.index]);
    if (squeezed.is_deep[a] || squeezed.is_deep[b]) squeezed.links.push_back({a, b, {}});
  }
}

void list_links(Cluster& cluster) {
  constexpr std::size_t contacts_per_piece = 256, pieces_per_batch = 128, ahead = 8;
  const std::vector<ColouredContact>& contacts = cluster.solver.coloured;
  SqueezedBodies& squeezed = cluster.solver.squeezed;
  squeezed.links.clear();
  squeezed.is_deep.assign(cluster.solver.bodies.size(), false);
  squeezed.meetings.resize(contacts_per_piece * pieces_per_batch);
  const auto look = [&](std::uint32_t piece, Range range) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (i + ahead < range.last) prefetch(cluster.world.contacts[contacts[i + ahead].contact]);
      const Manifold& manifold =
          manifold_at(cluster.world.contacts[contacts[i].contact], contacts[i].manifold);
      squeezed.meetings[piece * contacts_per_piece + i - range.first] = {
          manifold.normal, is_meeting(cluster, contacts[i], manifold), overlaps_deep(manifold)};
    }
  };
  // Marks only dynamic bodies. Other bodies cannot be pushed away, and several islands of the
  // cluster may share them.
  const auto take = [&](std::uint32_t piece, Range range) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Meeting& meeting = squeezed.meetings[piece * contacts_per_piece + i - range.first];
      if (!meeting.is_meeting) continue;
      const std::uint32_t a = contacts[i].a, b = contacts[i].b;
      squeezed.links.push_back({a, b, meeting.normal});
      if (!meeting.is_deep) continue;
      for (const std::uint32_t body : {a, b})
        squeezed.is_deep[body] = squeezed.is_deep[body] || cluster.solver.bodies[body].is_dynamic;
    }
  };
  for_each_piece(cluster.workers, contacts.size(), contacts_per_piece, pieces_per_batch, look,
                 take);
}

/// Calls `visit(other, normal)` for all links of the body, with the normal pointing into the body.
template <typename Visit>
void for_each_touching(const SqueezedBodies& squeezed, std::uint32_t body, Visit&& visit) {
  for_each_edge(squeezed.links_of, body, [&](std::uint32_t index) {
    const SqueezeLink& link = squeezed.links[index];
    link.a == body ? visit(link.b, -link.normal) : visit(link.a, link.normal);
  });
}

/// Finds the levels by breadth-first search from all bodies that are not dynamic, upward against
/// gravity. Without gravity, the search goes in all directions.
void find_levels(const Cluster& cluster, SqueezedBodies& squeezed) {
  const SolverArrays& solver = cluster.solver;
  const Vec3 up = normalized_or(-cluster.world.options.gravity, Vec3{});
  const float least = up == Vec3{} ? -1.0f : squeezed_opposition;
  squeezed.level.assign(solver.bodies.size(), no_index);
  squeezed.open.clear();
  for (std::uint32_t i = 0; i < solver.bodies.size(); ++i) {
    if (solver.bodies[i].is_dynamic) continue;
    squeezed.level[i] = 0;
    squeezed.open.push_back(i);
  }
  for (std::size_t k = 0; k < squeezed.open.size(); ++k) {
    const std::uint32_t body = squeezed.open[k];
    for_each_touching(squeezed, body, [&](std::uint32_t other, Vec3 normal) {
      if (squeezed.level[other] != no_index || dot(-normal, up) < least) return;
      squeezed.level[other] = squeezed.level[body] + 1;
      squeezed.open.push_back(other);
    });
  }
}

/// Returns true if the body touches a body of a lower level on the side opposite to `pusher`, so
/// that it cannot yield. `push` is the direction in which the pusher pushes, or zero for a joint,
/// which may push in any direction.
bool is_backed(const SqueezedBodies& squeezed, std::uint32_t body, std::uint32_t pusher,
               Vec3 push) {
  bool has_back = false;
  for_each_touching(squeezed, body, [&](std::uint32_t other, Vec3 normal) {
    const bool is_lower = other != pusher && squeezed.level[other] < squeezed.level[body];
    const bool is_behind = push == Vec3{} || dot(normal, push) < -squeezed_opposition;
    has_back = has_back || (is_lower && is_behind && normal != Vec3{});
  });
  return has_back;
}

/// Returns the mass, in kg, to which `pusher` raises the mass of the body. `mass` is the pusher's
/// own mass, increased if it is squeezed too. The result is `mass` / squeezed_ratio, or less if the
/// body is fast (squeezed_energy).
float squeezed_mass(const SolverArrays& solver, std::uint32_t body, std::uint32_t pusher,
                    float mass) {
  const float own = length_squared(solver.velocities[body].linear);
  const float pushers = length_squared(solver.velocities[pusher].linear);
  const float most = squeezed_energy * mass * (pushers + squeezed_drift * squeezed_drift);
  const float wanted = mass * (1.0f / squeezed_ratio);
  return wanted * own <= most ? wanted : most / own;
}

/// Propagates increased masses from body to body. Masses only grow, so that the result does not
/// depend on the order.
void squeeze(const Cluster& cluster, SqueezedBodies& squeezed) {
  const SolverArrays& solver = cluster.solver;
  squeezed.mass.assign(solver.bodies.size(), 0.0f);
  squeezed.is_struck.assign(solver.bodies.size(), false);
  squeezed.open.clear();
  for (std::uint32_t i = 0; i < solver.bodies.size(); ++i) {
    if (!solver.bodies[i].is_dynamic) continue;
    squeezed.mass[i] = 1.0f / solver.velocities[i].inverse_mass;
    squeezed.open.push_back(i);
  }
  for (std::size_t k = 0; k < squeezed.open.size(); ++k) {
    const std::uint32_t pusher = squeezed.open[k];
    const float pushing = squeezed.mass[pusher];
    const bool is_weighed = pushing * solver.velocities[pusher].inverse_mass > 1.0f + rounding;
    const float uneven = is_weighed ? squeezed_ratio : uneven_ratio;
    for_each_touching(squeezed, pusher, [&](std::uint32_t body, Vec3 normal) {
      const bool is_uneven = pushing * solver.velocities[body].inverse_mass > uneven;
      if (!is_uneven || !solver.bodies[body].is_dynamic) return;
      const float mass = squeezed_mass(solver, body, pusher, pushing);
      if (!(mass > squeezed.mass[body]) || !is_backed(squeezed, body, pusher, -normal)) return;
      squeezed.mass[body] = mass;
      squeezed.open.push_back(body);
      const Vec3 approach = solver.velocities[pusher].linear - solver.velocities[body].linear;
      const bool is_impact = -dot(approach, normal) * solver.substep_seconds > squeezed_depth;
      if (is_impact || squeezed.is_struck[pusher]) squeezed.is_struck[body] = true;
    });
  }
}

void scale(SolverInertia& inertia, float factor) {
  for (float* const entry :
       {&inertia.xx, &inertia.xy, &inertia.xz, &inertia.yy, &inertia.yz, &inertia.zz})
    *entry *= factor;
}

template <std::size_t N>
void scale(Lanes (&rows)[N], std::size_t lane, float factor) {
  for (Lanes& row : rows)
    row[lane] *= factor;
}

/// Multiplies mass, inertia and angular momentum of a body by its factor. Velocities and weight
/// stay the same.
void weigh(SolverArrays& solver, const WeighedBody& weighed) {
  const float inverse = 1.0f / weighed.factor;
  solver.velocities[weighed.body].inverse_mass *= inverse;
  scale(solver.inertias[weighed.body], inverse);
  solver.gains[weighed.body].linear *= inverse;
  solver.gains[weighed.body].angular *= inverse;
  BodyBlock& block = solver.body_blocks[weighed.body / lane_count];
  const std::size_t lane = weighed.body % lane_count;
  scale(block.linear_gain, lane, inverse);
  scale(block.angular_gain, lane, inverse);
  scale(block.inverse_inertia_local, lane, inverse);
  scale(block.inertia, lane, weighed.factor);
  scale(block.inertia_local, lane, weighed.factor);
  scale(block.angular_momentum, lane, weighed.factor);
}

/// Lists the bundles with a contact of a struck body.
void list_bundles(Cluster& cluster) {
  SqueezedBodies& squeezed = cluster.solver.squeezed;
  for (std::uint32_t count = 1; count <= 4; ++count) {
    cluster.solver.bundles.visit(count, [&](const auto& bundles, const auto&) {
      for (std::uint32_t i = 0; i < bundles.size(); ++i) {
        const auto is_struck = [&](std::uint32_t body) { return squeezed.is_struck[body]; };
        if (std::ranges::any_of(bundles[i].a, is_struck) ||
            std::ranges::any_of(bundles[i].b, is_struck))
          squeezed.bundles.push_back({count, i, i + 1});
      }
    });
  }
}

}  // namespace

void weigh_squeezed_bodies(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  SqueezedBodies& squeezed = solver.squeezed;
  squeezed.weighed.clear();
  squeezed.struck.clear();
  squeezed.bundles.clear();
  squeezed.factors.clear();
  if (!cluster.world.uses(Stabilizer::MassRatios) || !has_uneven_pair(cluster)) return;
  list_links(cluster);
  add_joints(cluster, squeezed);
  find_incidence(squeezed.links, solver.bodies.size(), squeezed.links_of);
  find_levels(cluster, squeezed);
  squeeze(cluster, squeezed);
  for (std::uint32_t i = 0; i < solver.bodies.size(); ++i) {
    const float factor = squeezed.mass[i] * solver.velocities[i].inverse_mass;
    if (!(factor > 1.0f + rounding)) continue;
    squeezed.weighed.push_back({i, factor});
    if (squeezed.is_struck[i]) squeezed.struck.push_back(i);
  }
  if (!squeezed.weighed.empty()) squeezed.factors.assign(solver.bodies.size(), 1.0f);
  for (const WeighedBody& weighed : squeezed.weighed) {
    squeezed.factors[weighed.body] = weighed.factor;
    weigh(solver, weighed);
  }
}

void relax_squeezed_bodies(Cluster& cluster) {
  constexpr int max_passes = 8;
  constexpr float settled_speed = 0.01f;  // m/s
  SqueezedBodies& squeezed = cluster.solver.squeezed;
  // The passes also act on the other contacts of a bundle, so no other islands may be in it.
  if (squeezed.struck.empty() || !cluster.may_be_squeezed) return;
  if (squeezed.bundles.empty()) list_bundles(cluster);
  const auto velocity_of = [&](std::size_t i) {
    return cluster.solver.velocities[squeezed.struck[i]].linear;
  };
  squeezed.speeds.resize(squeezed.struck.size());
  bool is_settled = false;
  for (int pass = 0; pass < max_passes && !is_settled; ++pass) {
    for (std::size_t i = 0; i < squeezed.struck.size(); ++i)
      squeezed.speeds[i] = velocity_of(i);
    relax_contacts(cluster, squeezed.bundles);
    is_settled = true;
    for (std::size_t i = 0; i < squeezed.struck.size(); ++i)
      is_settled &=
          length_squared(velocity_of(i) - squeezed.speeds[i]) < settled_speed * settled_speed;
  }
}

void unweigh_squeezed_bodies(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  for (const WeighedBody& weighed : solver.squeezed.weighed) {
    BodyBlock& block = solver.body_blocks[weighed.body / lane_count];
    const std::size_t lane = weighed.body % lane_count;
    scale(block.inertia, lane, 1.0f / weighed.factor);
    scale(block.angular_momentum, lane, 1.0f / weighed.factor);
  }
}

}  // namespace jostle::physics
