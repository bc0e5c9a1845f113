#include "shared/physics/stabilizers/stacks/support_graph.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/stabilizers/stacks/packed_six.h"
#include "shared/physics/stabilizers/stacks/support_contacts.h"

#include <algorithm>
#include <iterator>

namespace jostle::physics {

using math::Vec3;

namespace {

/// Collects the contacts that touch, in the order of their bundles. Adds up the normal impulses on
/// each body in `noise`.
template <int N>
void collect(const std::vector<ContactBundle<N>>& bundles,
             const std::vector<ContactRecords<N>>& records, SupportGraph& graph) {
  for (std::uint32_t i = 0; i < bundles.size(); ++i) {
    const ContactBundle<N>& bundle = bundles[i];
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
      if ((records[i].used_lanes >> lane & 1U) == 0) continue;
      StandingContact contact{
          bundle.a[lane], bundle.b[lane], i, static_cast<std::uint8_t>(lane), N, false, 0,
          no_index};
      bool touches = false;
      float load = 0;
      for (const auto& point : bundle.points) {
        const float gap = point.separation_now[lane];
        touches = touches || gap < held_distance;
        contact.depth = math::max_of(contact.depth, -gap);
        contact.is_off =
            contact.is_off || (gap < held_distance && math::abs_of(gap) > straighten_tolerance);
        load += point.impulse[lane];
      }
      if (!touches) continue;
      graph.noise[contact.a] += load;
      graph.noise[contact.b] += load;
      graph.contacts.push_back(contact);
    }
  }
}

/// Converts the loads in `noise` to the speed errors, m/s, that rounding causes. Large impulses
/// that cancel, such as those above and below the lowest body of a tower, leave a rounding error.
void estimate_noise(const SolverArrays& solver, SupportGraph& graph) {
  for (std::uint32_t i = 0; i < graph.noise.size(); ++i) {
    graph.noise[i] *= speed_rounding * solver.velocities[i].inverse_mass;
  }
}

void list_contacts(SolverArrays& solver, SupportGraph& graph) {
  graph.contacts.clear();
  graph.noise.assign(solver.bodies.size(), 0.0f);
  collect(solver.bundles.ones, solver.bundles.one_records, graph);
  collect(solver.bundles.twos, solver.bundles.two_records, graph);
  collect(solver.bundles.threes, solver.bundles.three_records, graph);
  collect(solver.bundles.fours, solver.bundles.four_records, graph);
  estimate_noise(solver, graph);
}

bool is_moving(const SolverVelocity& velocity, float noise) {
  const float limit = still_speed + noise;
  // squared speed at an arm of 1 m
  const float turning = length_squared(velocity.angular);
  return !(length_squared(velocity.linear) <= limit * limit && turning <= limit * limit);
}

// SupportGraph::seen_round of bodies that are not searched
constexpr std::uint32_t never = no_index - 1;
constexpr std::uint32_t not_yet = no_index;

/// Marks the bodies of piles in which a body moves or a contact has a position error. Other piles
/// are at rest and are skipped. Returns false if all piles are at rest.
bool find_restless(const SolverArrays& solver, SupportGraph& graph) {
  graph.seen_round.assign(solver.bodies.size(), never);
  graph.open.clear();
  const auto open = [&](std::uint32_t body) {
    if (graph.seen_round[body] != never || !solver.bodies[body].is_dynamic) return;
    graph.seen_round[body] = not_yet;
    graph.open.push_back(body);
  };
  for (const StandingContact& contact : graph.contacts) {
    for (const std::uint32_t body : {contact.a, contact.b}) {
      if (contact.is_off || is_moving(solver.velocities[body], graph.noise[body])) open(body);
    }
  }
  if (graph.open.empty()) return false;
  find_incidence(graph.contacts, solver.bodies.size(), graph.contacts_of);
  while (!graph.open.empty()) {
    const std::uint32_t body = graph.open.back();
    graph.open.pop_back();
    for_each_edge(graph.contacts_of, body, [&](std::uint32_t index) {
      open(graph.contacts[index].a);
      open(graph.contacts[index].b);
    });
  }
  return true;
}

/// Adds the immovable body and the kinematic ones as roots.
void list_roots(SolverArrays& solver, SupportGraph& graph) {
  graph.place.assign(solver.bodies.size(), no_index);
  for (std::uint32_t i = 0; i < solver.bodies.size(); ++i) {
    const bool is_kinematic = !solver.bodies[i].is_dynamic && solver.bodies[i].body != no_index;
    if (i != 0 && !is_kinematic) continue;
    graph.place[i] = static_cast<std::uint32_t>(graph.bodies.size());
    StandingBody root;
    root.body = i;
    root.linear = solver.velocities[i].linear;
    root.angular = solver.velocities[i].angular;
    graph.bodies.push_back(root);
    graph.details.emplace_back().root = i;
  }
}

/// Returns true if at least three points nearer than held_distance, with friction, span an area
/// that can support a body. The standard deviation of these points across their principal direction
/// must be at least a twentieth of the one along this direction.
template <int N>
bool is_base(const ContactBundle<N>& bundle, float friction, std::uint32_t lane) {
  if constexpr (N < 3) {
    return false;
  } else {
    if (!(friction > 0.0f)) return false;
    float count = 0, a = 0, b = 0, aa = 0, ab = 0, bb = 0;
    for (const auto& point : bundle.points) {
      if (!(point.separation_now[lane] < held_distance)) continue;
      const float x = point.along_1[lane], y = point.along_2[lane];
      count += 1;
      a += x;
      b += y;
      aa += x * x;
      ab += x * y;
      bb += y * y;
    }
    if (count < 3) return false;
    aa -= a * a / count;
    ab -= a * b / count;
    bb -= b * b / count;
    // Let A ≥ B be the eigenvalues of the matrix (aa, ab; ab, bb): the sums of squared deviations
    // along and across the principal direction. Its determinant is A·B and its trace A + B, so this
    // tests √(A·B) > least_share·(A + B). If B is much smaller than A, the test is nearly √(B/A) >
    // least_share, for the ratio of the two standard deviations.
    constexpr float least_share = 0.05f;
    return aa * bb - ab * ab > least_share * least_share * (aa + bb) * (aa + bb);
  }
}

/// Returns the largest mass ratio, at least 1, between the body and the dynamic bodies that it
/// touches.
float mass_ratio(const SolverArrays& solver, std::uint32_t body) {
  const float own = solver.velocities[body].inverse_mass;
  float ratio = 1;
  for_each_edge(solver.supports.contacts_of, body, [&](std::uint32_t index) {
    const StandingContact& contact = solver.supports.contacts[index];
    const std::uint32_t touched = other_of(contact, body);
    const float other = solver.velocities[touched].inverse_mass;
    if (other > 0.0f) ratio = math::max_of(ratio, math::max_of(other / own, own / other));
  });
  return ratio;
}

/// Returns the acceleration by gravity, or that by force fields if it is greater, m/s².
float weight_of(const Cluster& cluster, std::uint32_t body) {
  const FieldEffect& effect = field_effect(cluster.world, cluster.solver.bodies[body].body);
  return math::max_of(length(cluster.world.options.gravity), effect.acceleration);
}

/// Returns true if the body moves nearly with the body that would support it. Passes solve the
/// impact of a landing body, which is faster. With a greater mass ratio passes converge more
/// slowly, so the speed limit grows with the ratio.
bool is_slow(const Cluster& cluster, const StandingBody& standing) {
  const SolverArrays& solver = cluster.solver;
  const float fall = weight_of(cluster, standing.body) * solver.substep_seconds;
  const SolverVelocity& velocity = solver.velocities[standing.body];
  const Vec3 linear = velocity.linear - standing.linear;
  const Vec3 turning = (velocity.angular - standing.angular) * standing.size;
  const float speed = math::max_of(length_squared(linear), length_squared(turning));
  const auto is_below = [&](float limit) { return speed < limit * limit; };
  const float limit = standing_falls * fall;
  return is_below(limit) || is_below(limit * mass_ratio(solver, standing.body));
}

/// Returns true if only contacts constrain the body: it has no joint, its rotation is not
/// fully locked, and no surface velocity acts at its contacts.
bool is_unbound(const Cluster& cluster, std::uint32_t body) {
  if (cluster.solver.bodies[body].is_carried) return false;
  const SolverInertia& inverse = cluster.solver.inertias[body];
  const bool can_turn = inverse.xx > 0.0f || inverse.yy > 0.0f || inverse.zz > 0.0f;
  return can_turn &&
         cluster.world.bodies[cluster.solver.bodies[body].body].first_joint_edge == no_index;
}

/// A body and its possible supports.
struct Footing {
  StandingBody standing;
  StandingDetail detail;
  bool has_base = false;
};

/// Collects the contacts of a body with bodies in the graph as its supports. The first contact
/// determines the root; contacts with bodies of another root are ignored. If the body has no
/// contact with a body in the graph, the result has no base.
Footing find_footing(SolverArrays& solver, std::uint32_t body) {
  SupportGraph& graph = solver.supports;
  Footing footing;
  StandingBody& standing = footing.standing;
  footing.detail.root = no_index;
  standing.body = body;
  standing.first = static_cast<std::uint32_t>(graph.supports.size());
  for_each_edge(graph.contacts_of, body, [&](std::uint32_t index) {
    const StandingContact& contact = graph.contacts[index];
    const bool is_a = contact.a == body;
    const std::uint32_t place = graph.place[other_of(contact, body)];
    if (place == no_index) return;
    const std::uint32_t root = graph.details[place].root;
    if (footing.detail.root == no_index) footing.detail.root = root;
    if (footing.detail.root != root) return;
    Support support;
    support.contact = index;
    support.body = static_cast<std::uint32_t>(graph.bodies.size());
    support.parent = place;
    with_bundle(solver, contact, [&](const auto& bundle) {
      const Vec3 a = vector_of(bundle.centre_a, contact.lane);
      const Vec3 b = vector_of(bundle.centre_b, contact.lane);
      support.arm = is_a ? a : b;
      support.parent_arm = is_a ? b : a;
      footing.has_base =
          footing.has_base || is_base(bundle, grip_of(solver, bundle, contact), contact.lane);
      for (const auto& point : bundle.points) {
        const float reach = length(support.arm) + point.lever[contact.lane];
        standing.size = math::max_of(standing.size, reach);
      }
    });
    graph.supports.push_back(support);
  });
  standing.last = static_cast<std::uint32_t>(graph.supports.size());
  return footing;
}

/// Sets the target velocity v*: the velocity that the body would have if it were rigidly attached
/// to the parent of its first support.
void set_target(const SupportGraph& graph, StandingBody& standing) {
  const Support& support = graph.supports[standing.first];
  const StandingBody& parent = graph.bodies[support.parent];
  standing.angular = parent.angular;
  standing.linear = parent.linear + cross(parent.angular, support.parent_arm - support.arm);
}

/// Returns true if the locks allow the body to move with the body that would support it. A body
/// with a locked translation cannot stand on a rotating body, which would move it along a circle.
bool lets_stand(state::MotionLocks locks, const StandingBody& standing) {
  if (locks == 0) return true;
  const bool goes_round = standing.angular != Vec3{} && state::linear_part(locks) != 0;
  return !goes_round && state::free_linear(locks, standing.linear) == standing.linear &&
         state::free_angular(locks, standing.angular) == standing.angular;
}

bool can_stand(Cluster& cluster, Footing& footing) {
  const SolverArrays& solver = cluster.solver;
  StandingBody& standing = footing.standing;
  if (!footing.has_base) return false;
  if (!is_unbound(cluster, standing.body)) return false;
  set_target(solver.supports, standing);
  return lets_stand(solver.bodies[standing.body].locks, standing) && is_slow(cluster, standing);
}

/// Adds the body to the graph, if bodies in the graph support it.
void plant(Cluster& cluster, std::uint32_t body) {
  SupportGraph& graph = cluster.solver.supports;
  Footing footing = find_footing(cluster.solver, body);
  if (!can_stand(cluster, footing)) {
    graph.supports.resize(footing.standing.first);
    return;
  }
  graph.planted.push_back(static_cast<std::uint32_t>(graph.bodies.size()));
  graph.bodies.push_back(footing.standing);
  graph.details.push_back(footing.detail);
}

/// Lists in `candidates` the searched bodies that are not in the graph yet and touch one of the
/// bodies [first, last) of SupportGraph::bodies.
void find_candidates(const SolverArrays& solver, SupportGraph& graph, std::uint32_t round,
                     std::size_t first, std::size_t last) {
  graph.candidates.clear();
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t body = graph.bodies[i].body;
    for_each_edge(graph.contacts_of, body, [&](std::uint32_t index) {
      const StandingContact& contact = graph.contacts[index];
      const std::uint32_t other = other_of(contact, body);
      if (!solver.bodies[other].is_dynamic || graph.place[other] != no_index) return;
      if (graph.seen_round[other] == round || graph.seen_round[other] == never) return;
      graph.seen_round[other] = round;
      graph.candidates.push_back(other);
    });
  }
}

/// Excludes bodies with an overlap above held_depth for the step (is_barred), so that passes push
/// them out. If such a body touches only bodies in the graph, position correction removes the
/// overlap within a few steps, and the limit is straightened_depth.
void bar_deep_bodies(SupportGraph& graph) {
  for (StandingBody& standing : graph.bodies) {
    if (is_root(standing)) continue;
    bool is_deep = false, is_among_standing = true;
    for_each_edge(graph.contacts_of, standing.body, [&](std::uint32_t index) {
      const StandingContact& contact = graph.contacts[index];
      is_deep = is_deep || contact.depth > held_depth;
      const std::uint32_t other = other_of(contact, standing.body);
      is_among_standing = is_among_standing && graph.place[other] != no_index;
      standing.is_barred = standing.is_barred || contact.depth > straightened_depth;
    });
    standing.is_barred = standing.is_barred || (is_deep && !is_among_standing);
  }
}

/// Marks the supports as rigid (is_held), and all other contacts of the searched piles as soft.
void hold(SolverArrays& solver, const SupportGraph& graph) {
  for (const StandingContact& contact : graph.contacts) {
    const std::uint32_t body = solver.bodies[contact.a].is_dynamic ? contact.a : contact.b;
    if (graph.seen_round[body] == never) continue;
    with_bundle(solver, contact, [&](auto& bundle) {
      bundle.is_held[contact.lane] = contact.support == no_index ? 0.0f : 1.0f;
    });
  }
}

/// Lists the supports above each body.
void list_supports_above(SupportGraph& graph) {
  std::vector<std::uint32_t>& first = graph.first_above;
  first.assign(graph.bodies.size() + 1, 0);
  for (const Support& support : graph.supports)
    ++first[support.parent];
  std::uint32_t sum = 0;
  for (std::uint32_t& count : first)
    count = sum += count;
  graph.supports_above.resize(sum);
  for (auto contact = graph.contacts.rbegin(); contact != graph.contacts.rend(); ++contact) {
    if (contact->support == no_index) continue;
    graph.supports_above[--first[graph.supports[contact->support].parent]] = contact->support;
  }
}

/// Fills the rows of a support. Points that are too far apart to bear load get no weight.
template <int N>
void fill_rows(const ContactBundle<N>& bundle, const StandingContact& contact,
               const Support& support, bool is_a, float grip, float least_load, float size,
               SupportRows& rows) {
  const std::uint32_t lane = contact.lane;
  const StandingFrame frame = frame_of(bundle, lane, is_a);
  const ContactTangents tangents(bundle, lane);
  const float inverse_size = 1.0f / size;
  float sum = 0;
  for (const auto& point : bundle.points)
    sum += point.impulse[lane];
  const float even = even_share * (sum / static_cast<float>(N) + least_load);
  float total = 0, levers = 0;
  rows = {};
  for (int i = 0; i < N; ++i) {
    const auto& point = bundle.points[i];
    const bool is_near = point.separation_now[lane] < held_distance;
    const float weight = is_near ? point.impulse[lane] + even : 0.0f;
    const Vec3 at = support.arm + tangents.place_of(point, lane);
    rows.set_row(static_cast<std::size_t>(i), frame.normal, cross(at, frame.normal) * inverse_size,
                 weight);
    rows.lever[i] = point.lever[lane];
    total += weight;
    levers += weight * point.lever[lane] * point.lever[lane];
  }
  read_impulses(bundle, lane, rows);
  const float friction = math::min_of(grip, 1.0f) * friction_share;
  rows.set_row(N, frame.tangent_1, cross(support.arm, frame.tangent_1) * inverse_size,
               friction * total);
  rows.set_row(N + 1, frame.tangent_2, cross(support.arm, frame.tangent_2) * inverse_size,
               friction * total);
  if (N > 1) rows.set_row(N + 2, {}, frame.normal * inverse_size, friction * levers);
}

}  // namespace

bool prepare_rows(Cluster& cluster, StandingBody& standing, StandingDetail& detail) {
  SolverArrays& solver = cluster.solver;
  SupportGraph& graph = solver.supports;
  const float mass = 1.0f / solver.velocities[standing.body].inverse_mass;
  const float own = mass * weight_of(cluster, standing.body) * solver.substep_seconds;
  OuterSum sum;
  for (std::uint32_t k = standing.first; k < standing.last; ++k) {
    Support& support = graph.supports[k];
    const StandingContact& contact = graph.contacts[support.contact];
    with_bundle(solver, contact, [&](const auto& bundle) {
      support.grip = grip_of(solver, bundle, contact);
      fill_rows(bundle, contact, support, contact.a == standing.body, support.grip, own,
                standing.size, graph.rows[k]);
    });
    sum.add(SixLanes(graph.rows[k]), RowLanes::load(graph.rows[k].weight));
  }
  sum.store(detail.factor);
  standing.has_factor = factor(detail.factor, least_pivot);
  return standing.has_factor;
}

void find_supports(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  SupportGraph& graph = solver.supports;
  graph.bodies.clear();
  graph.details.clear();
  graph.supports.clear();
  list_contacts(solver, graph);
  graph.is_resting = !cluster.world.uses(Stabilizer::Stacks) || !find_restless(solver, graph);
  if (graph.is_resting) return;
  list_roots(solver, graph);
  std::size_t first = 0;
  for (std::uint32_t round = 0; first < graph.bodies.size(); ++round) {
    const std::size_t last = graph.bodies.size();
    find_candidates(solver, graph, round, first, last);
    graph.planted.clear();
    for (const std::uint32_t body : graph.candidates)
      plant(cluster, body);
    // Bodies become possible supports only after their round, so that bodies of the same round do
    // not support each other.
    for (const std::uint32_t place : graph.planted)
      graph.place[graph.bodies[place].body] = place;
    first = last;
  }
  for (std::uint32_t k = 0; k < graph.supports.size(); ++k)
    graph.contacts[graph.supports[k].contact].support = k;
  graph.rows.resize(graph.supports.size());
  graph.reactions.assign(graph.supports.size(), {});
  list_supports_above(graph);
  hold(solver, graph);
  bar_deep_bodies(graph);
}

}  // namespace jostle::physics
