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
constexpr float enough = 0.5f;
/// What was open by more when the step began has not been opened by blows and loads.
constexpr float nearly_closed_gap = 0.01f;   // m
constexpr float nearly_closed_lean = 0.05f;  // rad
/// Rows are taken to be straight; no body is turned farther at once.
constexpr float farthest_turn = 0.5f;  // rad
/// Of what the bodies of a row would do for an impulse, as much it gives way: 1/W.
constexpr double softness = 1e-5;
/// Locked axes are as heavy as this many of the body, and a body that an impact has stopped.
constexpr double locked_mass = 1e9, stopped_mass = 1e3;

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
  const Mechanisms& all = world_.mechanisms;
  const Mechanisms::Tree& tree = all.trees[mechanism];
  edges_ = std::span(all.edges).subspan(tree.first_edge, tree.edge_count);
  nodes_.resize(tree.node_count);
  for (std::uint32_t i = 0; i < tree.node_count; ++i) {
    const Mechanisms::Node& node = all.nodes[tree.first_node + i];
    const Body& body = world_.bodies[node.body];
    if (body.is_quarantined) return false;
    nodes_[i].body = node.body;
    nodes_[i].parent = node.parent;
    nodes_[i].place = {body.position, body.rotation};
  }
  measure();
  if (!is_opened()) return false;
  for (int round = 0; round < most_rounds && !are_closed(enough); ++round) {
    assemble();
    eliminate();
    move();
    measure();
  }
  return are_closed(enough);
}

std::vector<PlacedBody> TreeClosing::places() const {
  std::vector<PlacedBody> places;
  for (const Node& node : nodes_)
    places.push_back({node.body, node.place});
  return places;
}

/// What the step before has left open belongs to it.
bool TreeClosing::is_opened() const {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    if (is_closed(failures_[i], 1)) continue;
    if (was_nearly_closed(world_, world_.joints[edges_[i].joint].def)) return true;
  }
  return false;
}

void TreeClosing::measure() {
  const auto place_of = [&](std::uint32_t node, std::uint32_t body) {
    if (node != Mechanisms::none) return nodes_[node].place;
    return Pose{world_.bodies[body].position, world_.bodies[body].rotation};
  };
  failures_.clear();
  for (const Edge& edge : edges_) {
    const JointDef& def = world_.joints[edge.joint].def;
    const std::uint32_t a = def.body_a.index, b = def.body_b.index;
    failures_.push_back(failure_of(def, world_.bodies[a], place_of(edge.a, a), world_.bodies[b],
                                   place_of(edge.b, b)));
  }
}

bool TreeClosing::are_closed(float share) const {
  return std::ranges::all_of(
      failures_, [&](const JointFailure& failure) { return is_closed(failure, share); });
}

/// M + Jᵀ·W·J and −Jᵀ·W·C.
void TreeClosing::assemble() {
  for (Node& node : nodes_)
    begin(node);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    for (std::size_t k = 0; k < failures_[i].row_count; ++k)
      add_row(edges_[i], failures_[i].rows[k]);
  }
}

/// M of the body, as it stands now.
void TreeClosing::begin(Node& node) const {
  const Body& body = world_.bodies[node.body];
  node.own = {};
  node.cross = {};
  node.sum = {};
  const bool is_stopped = std::ranges::binary_search(world_.stopped, node.body);
  const float share = is_stopped ? static_cast<float>(stopped_mass) : 1.0f;
  const Mat3 rotation = to_matrix(node.place.rotation);
  const Mat3 inertia = rotation * body.inertia_local * transpose(rotation);
  const Vec3 columns[3] = {inertia.cx * share, inertia.cy * share, inertia.cz * share};
  const auto mass = static_cast<double>(body.mass * share);
  const auto moments = static_cast<double>(columns[0].x + columns[1].y + columns[2].z);
  const Vec3 moves = state::free_linear(body.locks, {1, 1, 1});
  const Vec3 turns = state::free_angular(body.locks, {1, 1, 1});
  const float is_free[6] = {moves.x, moves.y, moves.z, turns.x, turns.y, turns.z};
  for (std::size_t k = 0; k < 3; ++k) {
    node.own[k][k] = mass;
    node.own[3 + k][3] = static_cast<double>(columns[k].x);
    node.own[3 + k][4] = static_cast<double>(columns[k].y);
    node.own[3 + k][5] = static_cast<double>(columns[k].z);
  }
  for (std::size_t k = 0; k < 6; ++k)
    if (is_free[k] == 0.0f) node.own[k][k] += locked_mass * (k < 3 ? mass : moments);
}

/// What the body would do for a unit impulse if it were the same all around, and not locked.
double TreeClosing::freely(std::uint32_t node, const Gradient& gradient) const {
  if (node == Mechanisms::none) return 0;
  const Body& body = world_.bodies[nodes_[node].body];
  const Mat3& i = body.inertia_local;
  return static_cast<double>(body.inverse_mass * dot(gradient.along, gradient.along) +
                             3.0f / (i.cx.x + i.cy.y + i.cz.z) *
                                 dot(gradient.about, gradient.about));
}

void TreeClosing::add_row(const Edge& edge, const FailedRow& row) {
  const double give = softness * (freely(edge.a, row.a) + freely(edge.b, row.b));
  if (!(give > 0)) return;
  const double weight = 1 / give;
  const double wanted = -weight * static_cast<double>(row.failure);
  const SmallValues of_a = row_of(row.a), of_b = row_of(row.b);
  const auto add_own = [&](Node& node, const SmallValues& own) {
    add_product(node.own, weight, own, own);
    add_times(node.sum, wanted, own);
  };
  if (edge.a != Mechanisms::none) add_own(nodes_[edge.a], of_a);
  if (edge.b != Mechanisms::none) add_own(nodes_[edge.b], of_b);
  if (edge.a == Mechanisms::none || edge.b == Mechanisms::none) return;
  if (nodes_[edge.a].parent == edge.b) {
    add_product(nodes_[edge.a].cross, weight, of_a, of_b);
  } else {
    add_product(nodes_[edge.b].cross, weight, of_b, of_a);
  }
}

/// From the leaves to the root: every body by what its parent does.
void TreeClosing::eliminate() {
  for (std::size_t place = nodes_.size(); place-- > 0;) {
    Node& node = nodes_[place];
    SmallSquare root{};
    take_root(node.own, 6, root);
    node.own = root;
    physics::solve_down(root, 6, node.sum);
    if (node.parent == Mechanisms::none) continue;
    Node& parent = nodes_[node.parent];
    solve_down(root, node.cross);
    for (std::size_t r = 0; r < 6; ++r) {
      add_product(parent.own, -1, node.cross[r], node.cross[r]);
      add_times(parent.sum, -node.sum[r], node.cross[r]);
    }
  }
}

/// From the root to the leaves.
void TreeClosing::move() {
  for (Node& node : nodes_) {
    if (node.parent != Mechanisms::none) {
      const SmallValues& of_parent = nodes_[node.parent].sum;
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t k = 0; k < 6; ++k)
          node.sum[i] -= node.cross[i][k] * of_parent[k];
      }
    }
    solve_up(node.own, 6, node.sum);
    move(node);
  }
}
void TreeClosing::move(Node& node) const {
  const Body& body = world_.bodies[node.body];
  const SmallValues& x = node.sum;
  const Vec3 way = narrowed(math::Vec3d{x[0], x[1], x[2]});
  const Vec3 turn = state::free_angular(body.locks, narrowed(math::Vec3d{x[3], x[4], x[5]}));
  if (!is_finite(way) || !is_finite(turn)) return;
  node.place.position = locked_position(body.locks, node.place.position, node.place.position + way);
  if (turn == Vec3{}) return;
  const Vec3 half = limited(turn, farthest_turn) * 0.5f;
  node.place.rotation = normalized(Quat{half.x, half.y, half.z, 1} * node.place.rotation);
}

}  // namespace jostle::physics
