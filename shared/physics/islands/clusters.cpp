#include "shared/physics/islands/clusters.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/count_work.h"
#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/detail/prefetch.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/stabilizers/adaptive_substeps/refine_islands.h"
#include "shared/physics/stabilizers/internal_edges/flush_contacts.h"
#include "shared/physics/stabilizers/mass_ratios/squeezed_bodies.h"

#include <algorithm>

namespace jostle::physics {
namespace {

/// Minimum of the size limit for clusters, in bodies plus contacts. With smaller clusters, building
/// their lists would cost more time than the better load balance saves.
constexpr std::uint32_t min_cluster_weight = 64;
/// Desired number of clusters per thread. With several clusters each, threads that finish early can
/// take over work. Worlds with few bodies get fewer clusters (`min_cluster_weight`).
constexpr std::size_t clusters_per_thread = 4;

/// Returns the number of a body in ClusterLists, or 0 if the body is not active.
std::uint32_t number_of(const Body& body) {
  return is_active(body) ? body.awake_place + 1 : 0;
}

/// Returns true if the contact is alive, its first manifold has points, and neither body is a
/// sleeping dynamic body. A sleeping body may be near an awake one without touching it; such a
/// contact does not act.
bool can_act(const Contact& contact, const Body& a, const Body& b) {
  if (contact.is_dead || contact.manifold.point_count == 0) return false;
  const bool is_a_asleep = is_dynamic(a) && !a.is_awake;
  const bool is_b_asleep = is_dynamic(b) && !b.is_awake;
  return !is_a_asleep && !is_b_asleep;
}

/// Returns true if the two bodies approach each other so fast that their contact may be an impact
/// in the sense of squeezed_bodies.h.
bool approach_fast(const WorldState& world, const Contact& contact, const Body& a, const Body& b) {
  constexpr float margin = 0.9f;  // for rounding errors
  const auto substeps = static_cast<float>(world.options.substeps);
  const math::Vec3 way =
      (a.linear_velocity - b.linear_velocity) * (world.options.step_seconds / substeps);
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
    if (dot(way, manifold_at(contact, k).normal) > margin * squeezed_depth) return true;
  return false;
}

/// Clears the impulses of a manifold that does not act. Otherwise these impulses would be reported,
/// and would warm start the manifold when it acts again.
void forget_impulses(Manifold& manifold) {
  manifold.friction_impulse = manifold.resistance_impulse = {};
  manifold.twist_impulse = 0;
  manifold.is_held = false;
  for (ManifoldPoint& point : manifold.points)
    point.normal_impulse = point.step_impulse = 0;
}

/// Prepares the data of one contact for the solver. If the contact does not act, `manifold_count`
/// of the result is 0. Adds the comparisons of flush_manifolds to `comparisons`.
ActingContact prepare(WorldState& world, const ListedContact& entry, std::uint64_t& comparisons) {
  ActingContact acting;
  if (!entry.has_points) return acting;
  Contact& contact = world.contacts[entry.index];
  const Body &body_a = world.bodies[contact.body_a], &body_b = world.bodies[contact.body_b];
  if (!can_act(contact, body_a, body_b)) return acting;
  // Safe to run in parallel: this function never reads the impulses of another contact.
  static_assert(max_manifolds <= 32, "left_out has one bit per manifold");
  if (world.uses(Stabilizer::InternalEdges))
    acting.left_out = flush_manifolds(world, contact, comparisons);
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
    if ((acting.left_out >> k & 1U) != 0) forget_impulses(manifold_at(contact, k));
  if (acting.left_out == ~0U >> (max_manifolds - manifold_count(contact))) return acting;
  acting.contact = entry.index;
  acting.a = number_of(body_a);
  acting.b = number_of(body_b);
  acting.manifold_count = static_cast<std::uint16_t>(manifold_count(contact));
  acting.point_count = static_cast<std::uint8_t>(contact.manifold.point_count);
  acting.is_grounded = !is_dynamic(body_a) || !is_dynamic(body_b);
  if (!acting.is_grounded) {
    acting.is_uneven = are_uneven(body_a.inverse_mass, body_b.inverse_mass);
    acting.is_fast = approach_fast(world, contact, body_a, body_b);
  }
  acting.has_locks = (body_a.locks | body_b.locks) != 0;
  acting.has_belt = contact.has_belt;
  const ContactMaterial<float>& material = contact.material;
  acting.has_restitution = material.restitution > 0.0f;
  acting.has_resistance = material.rolling_resistance > 0.0f || material.spinning_resistance > 0.0f;
  acting.has_grip = material.static_friction > material.friction;
  return acting;
}

/// Collects the listed contacts that act, with the data of each that the solver needs.
void gather(WorldState& world) {
  if (world.uses(Stabilizer::InternalEdges)) find_bodies_with_one_normal(world);
  constexpr std::size_t contacts_per_piece = 256, ahead = 8;
  const std::vector<ListedContact>& entries = world.awake_contacts;
  std::vector<ActingContact>& acting = world.clusters.acting;
  acting.resize(entries.size());
  for_each_range(*world.runtime.workers, entries.size(), contacts_per_piece, [&](Range range) {
    std::uint64_t comparisons = 0;
    for (std::size_t k = range.first; k < range.last; ++k) {
      if (k + ahead < range.last) prefetch(world.contacts[entries[k + ahead].index]);
      acting[k] = prepare(world, entries[k], comparisons);
    }
    count_work(world.stats.work.rim_comparisons, comparisons);
  });
  std::erase_if(acting, [](const ActingContact& contact) { return contact.manifold_count == 0; });
}

/// Unites the two bodies of each joint if both are active. Lists one active body of each joint in
/// ClusterLists::joined. Returns true if any joint is in a tree.
bool gather_joints(WorldState& world, DisjointSets& islands) {
  std::vector<std::uint32_t>& joined = world.clusters.joined;
  joined.clear();
  bool has_trees = false;
  for (const std::uint32_t joint : world.awake_joints) {
    const JointDef& def = world.joints[joint].solved();
    has_trees |= world.joints[joint].tree != no_index;
    const std::uint32_t a = number_of(world.bodies[def.body_a.index]);
    const std::uint32_t b = number_of(world.bodies[def.body_b.index]);
    if (a != 0 && b != 0) islands.unite(a, b);
    joined.push_back(a != 0 ? a : b);
  }
  return has_trees;
}

/// Groups bodies that touch or are joined into islands. A kinematic body transmits no impulses, but
/// it unites all islands that it touches, because its motion is stored in the arrays of only one
/// cluster.
void find_islands(WorldState& world) {
  ClusterLists& lists = world.clusters;
  const auto count = static_cast<std::uint32_t>(world.awake_bodies.size()) + 1;
  DisjointSets islands(lists.first_body, count);
  for (const ActingContact& contact : lists.acting)
    if (contact.a != 0 && contact.b != 0) islands.unite(contact.a, contact.b);
  const bool has_trees = gather_joints(world, islands);
  lists.islands.assign(count, Island{});
  for (std::uint32_t& first : lists.first_body) {
    // The entry of the body `first` is already final, because this body precedes the current one or
    // is the same. The entry is the first body of the island.
    first = lists.first_body[first];
    ++lists.islands[first].body_count;
  }
  for (const ActingContact& contact : lists.acting) {
    Island& island = lists.islands[lists.first_body[contact.moving_body()]];
    ++island.contact_count;
    island.is_uneven |= contact.is_uneven;
    island.is_fast |= contact.is_fast;
    island.is_grounded |= contact.is_grounded;
  }
  for (const std::uint32_t body : lists.joined)
    ++lists.islands[lists.first_body[body]].joint_count;
  if (has_trees && world.uses(Stabilizer::AdaptiveSubsteps)) find_refinable_islands(world);
}

/// Returns the weight (bodies plus contacts) up to which islands are added to a cluster. It is
/// lower in small worlds, so that there is enough work for all threads.
std::uint32_t weight_limit(const WorldState& world) {
  const std::uint32_t most = world.runtime.execution.cluster_weight;
  const auto threads = static_cast<std::size_t>(world.runtime.workers->threads());
  if (threads == 1 || most <= min_cluster_weight) return most;
  const std::size_t whole = world.awake_bodies.size() + world.clusters.acting.size();
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(whole / (threads * clusters_per_thread), min_cluster_weight, most));
}

/// Assigns islands to clusters in the order of their first bodies, so that the islands of a cluster
/// lie close together in memory.
void share_out(const WorldState& world, ClusterLists& lists) {
  const std::uint32_t limit = weight_limit(world);
  const bool uses_masses = world.uses(Stabilizer::MassRatios);
  lists.ranges.clear();
  std::uint32_t open = 0, weight = limit;  // index and weight of the cluster that is being filled
  const auto add = [&](std::uint32_t cluster, Island& island) {
    ClusterRange& range = lists.ranges[cluster];
    range.body_count += island.body_count;
    range.contact_count += island.contact_count;
    range.joint_count += island.joint_count;
    island.cluster = cluster;
  };
  for (std::uint32_t i = 1; i < lists.first_body.size(); ++i) {
    if (lists.first_body[i] != i) continue;
    Island& island = lists.islands[i];
    const std::uint32_t own = island.body_count + island.contact_count;
    const bool is_large = own > world.runtime.execution.cluster_weight;
    const auto next = static_cast<std::uint32_t>(lists.ranges.size());
    const bool may_be_squeezed =
        uses_masses && island.is_uneven && island.is_fast && island.is_grounded;
    if (is_large || island.may_be_refined || may_be_squeezed) {
      ClusterRange& range = lists.ranges.emplace_back();
      range.is_large = is_large;
      range.may_be_refined = island.may_be_refined;
      range.may_be_squeezed = may_be_squeezed;
      add(next, island);
      continue;
    }
    weight += own;
    if (weight > limit) {
      lists.ranges.emplace_back();
      open = next;
      weight = own;
    }
    add(open, island);
  }
}

/// Computes where each cluster's ranges of the lists begin. Resets the counts to 0, because the
/// functions that fill the lists count again.
void lay_out(ClusterLists& lists) {
  std::uint32_t bodies = 0, contacts = 0, joints = 0;
  const auto place = [](std::uint32_t& first, std::uint32_t& count, std::uint32_t& sum) {
    first = sum;
    sum += count;
    count = 0;
  };
  for (ClusterRange& range : lists.ranges) {
    place(range.first_body, range.body_count, bodies);
    place(range.first_contact, range.contact_count, contacts);
    place(range.first_joint, range.joint_count, joints);
  }
  lists.bodies.resize(bodies);
  lists.contacts.resize(contacts);
  lists.joints.resize(joints);
}

ClusterRange& cluster_of(ClusterLists& lists, std::uint32_t body) {
  return lists.ranges[lists.islands[lists.first_body[body]].cluster];
}

void list_bodies(const WorldState& world, ClusterLists& lists) {
  lists.solver_index.resize(lists.first_body.size());
  lists.solver_index[0] = 0;
  for (std::uint32_t i = 1; i < lists.first_body.size(); ++i) {
    ClusterRange& range = cluster_of(lists, i);
    lists.bodies[range.first_body + range.body_count] = world.awake_bodies[i - 1];
    lists.solver_index[i] = ++range.body_count;
  }
}

void list_contacts(ClusterLists& lists) {
  for (const ActingContact& contact : lists.acting) {
    ClusterRange& range = cluster_of(lists, contact.moving_body());
    ActingContact& placed = lists.contacts[range.first_contact + range.contact_count++];
    placed = contact;
    placed.a = lists.solver_index[contact.a];
    placed.b = lists.solver_index[contact.b];
  }
}

void list_joints(const WorldState& world, ClusterLists& lists) {
  for (std::size_t i = 0; i < lists.joined.size(); ++i) {
    ClusterRange& range = cluster_of(lists, lists.joined[i]);
    lists.joints[range.first_joint + range.joint_count++] = world.awake_joints[i];
  }
}

}  // namespace

void form_clusters(WorldState& world) {
  ClusterLists& lists = world.clusters;
  gather(world);
  find_islands(world);
  share_out(world, lists);
  lay_out(lists);
  list_bodies(world, lists);
  list_contacts(lists);
  list_joints(world, lists);
}

}  // namespace jostle::physics
