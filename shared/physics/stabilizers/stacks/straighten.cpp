#include "shared/physics/detail/constants.h"
#include "shared/physics/stabilizers/stacks/packed_six.h"
#include "shared/physics/stabilizers/stacks/support_contacts.h"
#include "shared/physics/stabilizers/stacks/support_graph.h"

#include <iterator>

namespace jostle::physics {

using math::Vec3;

namespace {

/// Least-squares problem for the displacement of one body: the normal equations A·x = b.
struct Fitting {
  OuterSum a;
  SixSum b;

  /// Adds rows. SupportRows::change holds the displacement that each row asks for.
  void add(const SupportRows& block) {
    const SixLanes rows(block);
    const RowLanes weight = RowLanes::load(block.weight);
    a.add(rows, weight);
    b.add(rows, weight * RowLanes::load(block.change));
  }
  /// Adds rows that keep locked axes in place. Their weight makes all other rows negligible.
  void hold(state::MotionLocks locks) {
    constexpr float weight = 1e6f;
    const Vec3 along = Vec3{1, 1, 1} - state::free_linear(locks, {1, 1, 1});
    const Vec3 about = Vec3{1, 1, 1} - state::free_angular(locks, {1, 1, 1});
    SupportRows rows{};
    rows.set_row(0, {along.x, 0, 0}, {}, weight);
    rows.set_row(1, {0, along.y, 0}, {}, weight);
    rows.set_row(2, {0, 0, along.z}, {}, weight);
    rows.set_row(3, {}, {about.x, 0, 0}, weight);
    rows.set_row(4, {}, {0, about.y, 0}, weight);
    rows.set_row(5, {}, {0, 0, about.z}, weight);
    add(rows);
  }
};

/// Returns true if all bodies that the body touches are in the support graph and were not cut.
bool is_among_standing(const SupportGraph& graph, const StandingBody& standing) {
  bool is_among = true;
  for_each_edge(graph.contacts_of, standing.body, [&](std::uint32_t index) {
    const std::uint32_t place = graph.place[other_of(graph.contacts[index], standing.body)];
    is_among = is_among && place != no_index &&
               (is_root(graph.bodies[place]) || !graph.bodies[place].is_cut);
  });
  return is_among;
}

/// Adds the rows of a contact to the least-squares problem. The rows of its points make the body
/// follow the displacement of the other body and remove a share of the gap or overlap. Further rows
/// keep the body from sliding or twisting on the other body. Their weight is small, because wedged
/// bodies must slide to be corrected.
template <typename Bundle>
void add_contact(const Bundle& bundle, const StandingContact& contact, bool is_a,
                 const StandingDetail& other, float inverse_size, Fitting& fitting) {
  const std::uint32_t lane = contact.lane;
  const StandingFrame frame = frame_of(bundle, lane, is_a);
  const Vec3 a = vector_of(bundle.centre_a, lane), b = vector_of(bundle.centre_b, lane);
  const Vec3 arm = is_a ? a : b, other_arm = is_a ? b : a;
  const Vec3 taken = other.shift + cross(other.turn, other_arm);
  SupportRows rows{};
  std::size_t count = 0;
  const auto add = [&](Vec3 along, Vec3 about, float weight, float wanted) {
    rows.set_row(count, along, about * inverse_size, weight);
    rows.change[count++] = wanted;
  };
  const ContactTangents tangents(bundle, lane);
  for (const auto& point : bundle.points) {
    const float gap = point.separation_now[lane];
    if (!(gap < held_distance)) continue;
    const Vec3 to = tangents.place_of(point, lane);
    const float closing = math::min_of(-straighten_rate * gap, max_straightening);
    add(frame.normal, cross(arm + to, frame.normal), 1.0f,
        closing + dot(frame.normal, taken + cross(other.turn, to)));
  }
  for (const Vec3 tangent : {frame.tangent_1, frame.tangent_2})
    add(tangent, cross(arm, tangent), straighten_friction, dot(tangent, taken));
  add({}, frame.normal, straighten_friction, dot(frame.normal, other.turn));
  fitting.add(rows);
}

/// Returns true if a point of the contact has a position error above the tolerance, or if the other
/// body was moved.
template <typename Bundle>
bool is_off(const Bundle& bundle, std::uint32_t lane, const StandingDetail& other,
            float tolerance) {
  for (const auto& point : bundle.points) {
    const float gap = point.separation_now[lane];
    if (gap < held_distance && math::abs_of(gap) > tolerance) return true;
  }
  return other.shift != Vec3{} || other.turn != Vec3{};
}

void move(SolverArrays& solver, std::uint32_t body, const StandingDetail& standing) {
  SolverMotion& motion = solver.motions[body];
  motion.offset += standing.shift;
  motion.turn += standing.turn;
  BodyBlock& block = solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  const math::Quat rotation = rotation_of(block.rotation, lane);
  const Vec3 half = standing.turn * 0.5f;
  const math::Quat turned = normalized(math::Quat{half.x, half.y, half.z, 1.0f} * rotation);
  block.rotation[0][lane] = turned.x;
  block.rotation[1][lane] = turned.y;
  block.rotation[2][lane] = turned.z;
  block.rotation[3][lane] = turned.w;
}

/// Corrects the position of a body by its contacts with bodies that precede it in the graph. Does
/// nothing if no error of these contacts exceeds the tolerance and these bodies were not moved.
void straighten(SolverArrays& solver, std::uint32_t place) {
  SupportGraph& graph = solver.supports;
  const StandingBody& standing = graph.bodies[place];
  const auto for_each_earlier = [&](auto&& visit) {
    for_each_edge(graph.contacts_of, standing.body, [&](std::uint32_t index) {
      const StandingContact& contact = graph.contacts[index];
      const std::uint32_t other = graph.place[other_of(contact, standing.body)];
      if (other < place) visit(contact, contact.a == standing.body, graph.details[other]);
    });
  };
  const float tolerance = is_among_standing(graph, standing) ? straighten_tolerance : held_distance;
  bool is_wrong = false;
  for_each_earlier([&](const StandingContact& contact, bool, const StandingDetail& other) {
    is_wrong = is_wrong || with_bundle(solver, contact, [&](const auto& bundle) {
                 return is_off(bundle, contact.lane, other, tolerance);
               });
  });
  if (!is_wrong) return;
  Fitting fitting;
  const float inverse_size = 1.0f / standing.size;
  for_each_earlier([&](const StandingContact& contact, bool is_a, const StandingDetail& other) {
    with_bundle(solver, contact, [&](const auto& bundle) {
      add_contact(bundle, contact, is_a, other, inverse_size, fitting);
    });
  });
  const state::MotionLocks locks = solver.bodies[standing.body].locks;
  if (locks != 0) fitting.hold(locks);
  PackedSix matrix;
  fitting.a.store(matrix);
  if (!factor(matrix, least_pivot)) return;
  Vec3 force, moment;
  fitting.b.store(force, moment);
  float x[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
  solve(matrix, x);
  StandingDetail& detail = graph.details[place];
  detail.shift = state::free_linear(locks, {x[0], x[1], x[2]});
  detail.turn = state::free_angular(locks, Vec3{x[3], x[4], x[5]} * inverse_size);
  move(solver, standing.body, detail);
}

}  // namespace

void straighten(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  if (solver.supports.is_resting) return;
  for (std::uint32_t i = 0; i < solver.supports.bodies.size(); ++i) {
    const StandingBody& standing = solver.supports.bodies[i];
    if (!is_root(standing) && !standing.is_cut) straighten(solver, i);
  }
}

}  // namespace jostle::physics
