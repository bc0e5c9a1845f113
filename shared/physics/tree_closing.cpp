#include "shared/physics/tree_closing.h"

#include "shared/math/vec3d.h"
#include "shared/physics/body_state.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/locked_bodies.h"

#include <algorithm>

namespace jostle::physics {

using math::Mat3;
using math::Pose;
using math::Quat;
using math::Vec3;

namespace {

constexpr int most_rounds = 16;
/// Rounds end when nothing is open by more than this share of what is let be.
constexpr float enough = 0.25f;
/// What was open by more when the step began has not been opened by blows and loads.
constexpr float nearly_closed_gap = 0.01f;   // m
constexpr float nearly_closed_lean = 0.05f;  // rad
/// Rows are taken to be straight; no body is turned farther at once.
constexpr float farthest_turn = 0.5f;  // rad
/// Of what the bodies of a row would do for an impulse, as much it gives way: 1/W.
constexpr double softness = 1e-5;
/// Locked axes are as heavy as this many of the body, and a body that an impact has stopped as
/// so many of itself.
constexpr double locked_mass = 1e9;
constexpr float stopped_mass = 1e3f;

SmallValues row_of(const Gradient& gradient) {
  const math::Vec3d x = math::widened(gradient.along), w = math::widened(gradient.about);
  return {x.x, x.y, x.z, w.x, w.y, w.z};
}

/// to += w·a·bᵀ
void add_product(SmallSquare& to, double w, const SmallValues& a, const SmallValues& b) {
  for (std::size_t i = 0; i < 6; ++i) {
    const double scaled = w * a[i];
    for (std::size_t k = 0; k < 6; ++k)
      to[i][k] += scaled * b[k];
  }
}
void add_times(SmallValues& to, double factor, const SmallValues& what) {
  for (std::size_t i = 0; i < 6; ++i)
    to[i] += factor * what[i];
}

/// L⁻¹·matrix
void solve_down(const SmallSquare& root, SmallSquare& matrix) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t r = 0; r < i; ++r)
      add_times(matrix[i], -root[i][r], matrix[r]);
    for (double& x : matrix[i])
      x *= root[i][i];
  }
}

/// Whether a joint was, when the step began, as near to closed as steps leave it.
bool was_nearly_closed(const WorldState& world, const JointDef& def) {
  const Body &a = world.bodies[def.body_a.index], &b = world.bodies[def.body_b.index];
  const JointFailure before = failure_of(def, a, step_start(world, a), b, step_start(world, b));
  return before.gap <= nearly_closed_gap && before.lean <= nearly_closed_lean;
}

}  // namespace

bool TreeClosing::run(std::uint32_t mechanism) {
  const Mechanisms::Tree& tree = world_.mechanisms.trees[mechanism];
  all_edges_ = std::span(world_.mechanisms.edges).subspan(tree.first_edge, tree.edge_count);
  groups_.clear();
  list_members(tree);
  measure_all();
  if (!is_opened()) return false;
  form_groups(tree);
  weigh_groups();
  measure();
  for (int round = 0; round < most_rounds && !are_closed(); ++round) {
    assemble();
    eliminate();
    move();
    measure();
  }
  return are_closed();
}

std::vector<PlacedBody> TreeClosing::places() const {
  std::vector<PlacedBody> places;
  for (std::uint32_t i = 0; i < members_.size(); ++i)
    places.push_back({members_[i].body, place_of(i, members_[i].body)});
  return places;
}

void TreeClosing::list_members(const Mechanisms::Tree& tree) {
  members_.clear();
  for (std::uint32_t i = 0; i < tree.node_count; ++i) {
    const std::uint32_t slot = world_.mechanisms.nodes[tree.first_node + i].body;
    const Body& body = world_.bodies[slot];
    members_.push_back({slot, Mechanisms::none, {body.position, body.rotation}});
  }
}

void TreeClosing::measure_all() {
  failures_.clear();
  for (const Edge& edge : all_edges_)
    failures_.push_back(failure_of_edge(edge));
}

/// What the step before has left open belongs to it.
bool TreeClosing::is_opened() const {
  for (std::size_t i = 0; i < all_edges_.size(); ++i) {
    if (is_closed(failures_[i], 1)) continue;
    if (was_nearly_closed(world_, world_.joints[all_edges_[i].joint].def)) return true;
  }
  return false;
}

/// A body with locks moves for itself; a joint to the world stands in the way of its group.
void TreeClosing::form_groups(const Mechanisms::Tree& tree) {
  const auto has_locks = [&](std::uint32_t member) {
    return world_.bodies[members_[member].body].locks != 0;
  };
  edges_.clear();
  for (std::uint32_t i = 0; i < tree.node_count; ++i) {
    const Mechanisms::Node& node = world_.mechanisms.nodes[tree.first_node + i];
    const bool is_root = node.parent == Mechanisms::none;
    if (!is_root && is_closed(failures_[node.edge], 1) && !has_locks(i) &&
        !has_locks(node.parent)) {
      members_[i].group = members_[node.parent].group;
      continue;
    }
    if (!is_root) edges_.push_back(all_edges_[node.edge]);
    members_[i].group = static_cast<std::uint32_t>(groups_.size());
    Group& group = groups_.emplace_back();
    group.first_member = i;
    if (!is_root) group.parent = members_[node.parent].group;
  }
  for (const Edge& edge : all_edges_) {
    if (edge.a == Mechanisms::none || edge.b == Mechanisms::none) edges_.push_back(edge);
  }
}

/// What an impact has stopped is heavy, and its group with it.
void TreeClosing::weigh_groups() {
  const auto weight_of = [&](const Member& member) {
    const bool is_stopped = std::ranges::binary_search(world_.stopped, member.body);
    return world_.bodies[member.body].mass * (is_stopped ? stopped_mass : 1.0f);
  };
  for (Group& group : groups_)
    group.before = members_[group.first_member].before.position;
  std::vector<Vec3> moments(groups_.size());
  for (const Member& member : members_) {
    Group& group = groups_[member.group];
    const float mass = weight_of(member);
    group.mass += mass;
    moments[member.group] += (member.before.position - group.before) * mass;
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    group.before = group.centre = group.before + moments[i] / group.mass;
  }
  for (const Member& member : members_) {
    Group& group = groups_[member.group];
    const Body& body = world_.bodies[member.body];
    const float mass = weight_of(member);
    const Mat3 rotation = to_matrix(member.before.rotation);
    const Mat3 own = rotation * body.inertia_local * transpose(rotation);
    const Vec3 r = member.before.position - group.before;
    const float share = mass / body.mass, square = dot(r, r);
    group.inertia.cx += own.cx * share + (Vec3{square, 0, 0} - r * r.x) * mass;
    group.inertia.cy += own.cy * share + (Vec3{0, square, 0} - r * r.y) * mass;
    group.inertia.cz += own.cz * share + (Vec3{0, 0, square} - r * r.z) * mass;
  }
}

Pose TreeClosing::place_of(std::uint32_t member, std::uint32_t body) const {
  if (member == Mechanisms::none)
    return {world_.bodies[body].position, world_.bodies[body].rotation};
  const Pose& before = members_[member].before;
  if (members_[member].group == Mechanisms::none) return before;
  const Group& group = groups_[members_[member].group];
  if (group.turn == Quat{} && group.centre == group.before) return before;
  return {group.centre + rotate(group.turn, before.position - group.before),
          group.turn == Quat{} ? before.rotation : normalized(group.turn * before.rotation)};
}

JointFailure TreeClosing::failure_of_edge(const Edge& edge) const {
  const JointDef& def = world_.joints[edge.joint].def;
  const std::uint32_t a = def.body_a.index, b = def.body_b.index;
  return failure_of(def, world_.bodies[a], place_of(edge.a, a), world_.bodies[b],
                    place_of(edge.b, b));
}

void TreeClosing::measure() {
  failures_.clear();
  for (const Edge& edge : edges_)
    failures_.push_back(failure_of_edge(edge));
}

bool TreeClosing::are_closed() const {
  return std::ranges::all_of(
      failures_, [](const JointFailure& failure) { return is_closed(failure, enough); });
}

/// M + Jᵀ·W·J and −Jᵀ·W·C.
void TreeClosing::assemble() {
  for (Group& group : groups_)
    begin(group);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    for (std::size_t k = 0; k < failures_[i].row_count; ++k)
      add_row(edges_[i], failures_[i].rows[k]);
  }
}

/// M of the group, as it stood before.
void TreeClosing::begin(Group& group) const {
  group.own = {};
  group.cross = {};
  group.sum = {};
  const Vec3 columns[3] = {group.inertia.cx, group.inertia.cy, group.inertia.cz};
  const auto mass = static_cast<double>(group.mass);
  const auto moments = static_cast<double>(columns[0].x + columns[1].y + columns[2].z);
  for (std::size_t k = 0; k < 3; ++k) {
    group.own[k][k] = mass;
    group.own[3 + k][3] = static_cast<double>(columns[k].x);
    group.own[3 + k][4] = static_cast<double>(columns[k].y);
    group.own[3 + k][5] = static_cast<double>(columns[k].z);
  }
  const state::Locks locks = world_.bodies[members_[group.first_member].body].locks;
  if (locks == 0) return;
  const Vec3 moves = state::free_linear(locks, {1, 1, 1});
  const Vec3 turns = state::free_angular(locks, {1, 1, 1});
  const float is_free[6] = {moves.x, moves.y, moves.z, turns.x, turns.y, turns.z};
  for (std::size_t k = 0; k < 6; ++k)
    if (is_free[k] == 0.0f) group.own[k][k] += locked_mass * (k < 3 ? mass : moments);
}

/// By the motion of a member's group, about the group's centre.
Gradient TreeClosing::of_group(std::uint32_t member, const Gradient& gradient) const {
  const Group& group = groups_[members_[member].group];
  const Vec3 r = rotate(group.turn, members_[member].before.position - group.before);
  return {gradient.along, gradient.about + cross(r, gradient.along)};
}

/// What the group would do for a unit impulse if it were the same all around, and not locked.
double TreeClosing::freely(std::uint32_t group, const Gradient& gradient) const {
  const Mat3& i = groups_[group].inertia;
  return static_cast<double>(dot(gradient.along, gradient.along) / groups_[group].mass +
                             3.0f / (i.cx.x + i.cy.y + i.cz.z) *
                                 dot(gradient.about, gradient.about));
}

void TreeClosing::add_row(const Edge& edge, const FailedRow& row) {
  struct End {
    std::uint32_t group = Mechanisms::none;
    SmallValues row{};
    double freely = 0;
  };
  const auto side_of = [&](std::uint32_t member, const Gradient& gradient) {
    if (member == Mechanisms::none) return End{};
    const Gradient own = of_group(member, gradient);
    const std::uint32_t group = members_[member].group;
    return End{group, row_of(own), freely(group, own)};
  };
  const End a = side_of(edge.a, row.a), b = side_of(edge.b, row.b);
  const double give = softness * (a.freely + b.freely);
  if (!(give > 0)) return;
  const double weight = 1 / give;
  const double wanted = -weight * static_cast<double>(row.failure);
  for (const End* side : {&a, &b}) {
    if (side->group == Mechanisms::none) continue;
    add_product(groups_[side->group].own, weight, side->row, side->row);
    add_times(groups_[side->group].sum, wanted, side->row);
  }
  if (a.group == Mechanisms::none || b.group == Mechanisms::none) return;
  const bool is_a_child = groups_[a.group].parent == b.group;
  const End &child = is_a_child ? a : b, &parent = is_a_child ? b : a;
  add_product(groups_[child.group].cross, weight, child.row, parent.row);
}

/// From the leaves to the root: every group by what its parent does.
void TreeClosing::eliminate() {
  for (std::size_t place = groups_.size(); place-- > 0;) {
    Group& group = groups_[place];
    SmallSquare root{};
    take_root(group.own, 6, root);
    group.own = root;
    physics::solve_down(root, 6, group.sum);
    if (group.parent == Mechanisms::none) continue;
    Group& parent = groups_[group.parent];
    solve_down(root, group.cross);
    for (std::size_t r = 0; r < 6; ++r) {
      add_product(parent.own, -1, group.cross[r], group.cross[r]);
      add_times(parent.sum, -group.sum[r], group.cross[r]);
    }
  }
}

/// From the root to the leaves.
void TreeClosing::move() {
  for (Group& group : groups_) {
    if (group.parent != Mechanisms::none) {
      const SmallValues& of_parent = groups_[group.parent].sum;
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t k = 0; k < 6; ++k)
          group.sum[i] -= group.cross[i][k] * of_parent[k];
      }
    }
    solve_up(group.own, 6, group.sum);
    move(group);
  }
}
void TreeClosing::move(Group& group) const {
  const state::Locks locks = world_.bodies[members_[group.first_member].body].locks;
  const SmallValues& x = group.sum;
  const Vec3 way = narrowed(math::Vec3d{x[0], x[1], x[2]});
  const Vec3 turn = state::free_angular(locks, narrowed(math::Vec3d{x[3], x[4], x[5]}));
  if (!is_finite(way) || !is_finite(turn)) return;
  group.centre = locked_position(locks, group.centre, group.centre + way);
  if (turn == Vec3{}) return;
  const Vec3 half = limited(turn, farthest_turn) * 0.5f;
  group.turn = normalized(Quat{half.x, half.y, half.z, 1} * group.turn);
}

}  // namespace jostle::physics
