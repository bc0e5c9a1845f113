#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/tree_algebra.h"

#include <array>
#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

using namespace tree;

/// Of what a row's own bodies do for an impulse, as much does every row give way, so that joints
/// that contradict each other have a solution.
constexpr double trace_of_softness = 1e-9;

/// That a joint has.
constexpr std::size_t most_rows = 6;
using Directions = std::array<Direction, most_rows>;

/// What a joint holds, and of how many directions.
std::size_t find_directions(const Cluster& cluster, const TreePart& part, Directions& directions) {
  const JointArrays& arrays = cluster.joint_solver;
  const JointBundle& bundle = arrays.bundles[part.bundle];
  const JointClass joint_class = joint_classes[part.joint_class];
  constexpr Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Vec3 frame_y = y, frame_z = z;
  if (has_frames(joint_class)) {
    const math::Quat frame{bundle.frame_a[0][part.lane], bundle.frame_a[1][part.lane],
                           bundle.frame_a[2][part.lane], bundle.frame_a[3][part.lane]};
    const math::Quat rotation = arrays.poses[bundle.a[part.lane]].rotation * frame;
    frame_y = rotate(rotation, y);
    frame_z = rotate(rotation, z);
  }
  switch (joint_class.kind) {
    case JointKind::Ball:
      directions = {{{x, {}}, {y, {}}, {z, {}}}};
      return 3;
    case JointKind::Hinge:
      directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, frame_y}, {{}, frame_z}}};
      return 5;
    case JointKind::Slider:
      directions = {{{frame_y, {}}, {frame_z, {}}, {{}, x}, {{}, y}, {{}, z}}};
      return 5;
    case JointKind::Fixed:
      directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, x}, {{}, y}, {{}, z}}};
      return 6;
    default:  // distance joints; joints by coordinates are in no tree
      break;
  }
  const Vec3 apart = vector_of(bundle.apart, part.lane);
  directions[0] = {apart * (1.0f / math::max_of(length(apart), tiny)), {}};
  return bundle.is_rod[part.lane] != 0.0f && length(apart) > tiny ? 1 : 0;
}

/// J of a body for a force along and a torque about a direction, at the end of an arm.
Velocity row_of(const Direction& direction, Vec3 arm, double sign) {
  const math::Vec3d n = math::widened(direction.linear);
  const math::Vec3d turn = cross(math::widened(arm), n) + math::widened(direction.angular);
  return {sign * n.x, sign * n.y, sign * n.z, sign * turn.x, sign * turn.y, sign * turn.z};
}

Velocity times(const Response& response, const Velocity& v) {
  Velocity product;
  for (std::size_t i = 0; i < 6; ++i)
    product[i] = dot(response[i], v);
  return product;
}

Response own_response(const Cluster& cluster, std::uint32_t body) {
  Response response{};
  const auto inverse_mass = static_cast<double>(cluster.solver.velocities[body].inverse_mass);
  const SolverInertia& i = cluster.joint_solver.inertias[body];
  const math::Vec3 free = state::free_linear(cluster.solver.bodies[body].locks, {1, 1, 1});
  response[0][0] = inverse_mass * static_cast<double>(free.x);
  response[1][1] = inverse_mass * static_cast<double>(free.y);
  response[2][2] = inverse_mass * static_cast<double>(free.z);
  response[3] = {0, 0, 0, i.xx, i.xy, i.xz};
  response[4] = {0, 0, 0, i.xy, i.yy, i.yz};
  response[5] = {0, 0, 0, i.xz, i.yz, i.zz};
  return response;
}

/// L of m = L·Lᵀ, in place; rows without any response, as along locked axes, are left out.
void take_root(const TreeRoot& root, std::size_t rows) {
  constexpr double rounding = 1e-14;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double entry = root.at(i, k);
      double sum = entry;
      for (std::size_t j = 0; j < k; ++j)
        sum -= root.at(i, j) * root.at(k, j);
      if (i != k) {
        root.at(i, k) = sum * root.at(k, k);
      } else {
        root.at(i, i) = sum > rounding * entry ? 1.0 / std::sqrt(sum) : 0.0;
      }
    }
  }
}

/// J and Σ of a joint's rows, after those that the edge has.
void add_rows(Cluster& cluster, std::uint32_t index, const Response& of_parent,
              const Response& of_child, TreeEdge& edge) {
  JointTrees& trees = cluster.joint_solver.trees;
  const TreePart& part = trees.parts[index];
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  const Vec3 arm_a = vector_of(bundle.arm_a, part.lane);
  const Vec3 arm_b = vector_of(bundle.arm_b, part.lane);
  Directions directions;
  const std::size_t count = find_directions(cluster, part, directions);
  for (std::size_t i = 0; i < count; ++i) {
    const Velocity row_a = row_of(directions[i], arm_a, -1),
                   row_b = row_of(directions[i], arm_b, 1);
    TreeRow& row = trees.rows[edge.first_row + edge.row_count++];
    row.part = index;
    row.direction = directions[i];
    row.of_parent = part.is_parent_a ? row_a : row_b;
    row.of_child = part.is_parent_a ? row_b : row_a;
    double response = dot(row.of_parent, times(of_parent, row.of_parent));
    if (edge.child != 0) response += dot(row.of_child, times(of_child, row.of_child));
    row.softness = trace_of_softness * response;
  }
}

/// What the edge holds, J, and Σ.
void measure(Cluster& cluster, TreeEdge& edge) {
  const Response of_parent = own_response(cluster, edge.parent);
  const Response of_child = own_response(cluster, edge.child);
  edge.row_count = 0;
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i)
    add_rows(cluster, i, of_parent, of_child, edge);
}

/// J·Λ·Jᵀ, added to m; fills Λ·Jᵀ. By the members of a row that hold these.
void add_response(const Response& response, std::span<TreeRow> rows, Velocity TreeRow::*jacobian,
                  Velocity TreeRow::*to, const TreeRoot& m) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].*to = times(response, rows[i].*jacobian);
    for (std::size_t k = 0; k <= i; ++k)
      m.at(i, k) += dot(rows[k].*jacobian, rows[i].*to);
  }
}

/// Passes have nothing to do but the rows of limits, motors and springs.
void take_from_passes(Cluster& cluster, const TreeEdge& edge) {
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i) {
    const TreePart& part = cluster.joint_solver.trees.parts[i];
    JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
    for (Lanes& row : bundle.linear_mass)
      row[part.lane] = 0;
    for (Lanes& row : bundle.angular_mass)
      row[part.lane] = 0;
  }
}

/// Takes Λ·Jᵀ·T⁻¹·J·Λ = Y·Yᵀ from a body's response, with Y = Λ·Jᵀ·L⁻ᵀ.
void take_from_response(const TreeRoot& edge_root, std::span<const TreeRow> rows,
                        Response& response) {
  std::array<std::array<double, std::size_t{TreeEdge::max_parts} * most_rows>, 6> y;
  for (std::size_t c = 0; c < 6; ++c) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      y[c][k] = rows[k].parent_response[c];
    solve_down(edge_root, {y[c].data(), rows.size()});
  }
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < 6; ++c) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        response[r][c] -= y[r][k] * y[c][k];
    }
  }
}

void factor(Cluster& cluster, const JointTree& tree) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    trees.responses[trees.bodies[i]] = own_response(cluster, trees.bodies[i]);
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = trees.edges[i];
    measure(cluster, edge);
    take_from_passes(cluster, edge);
    const std::span<TreeRow> rows = trees.rows_of(edge);
    const TreeRoot child_root = trees.child_root(edge), edge_root = trees.edge_root(edge);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t c = 0; c < k; ++c)
        child_root.at(k, c) = 0;
      child_root.at(k, k) = rows[k].softness;
    }
    if (edge.child != 0) {
      add_response(trees.responses[edge.child], rows, &TreeRow::of_child, &TreeRow::child_response,
                   child_root);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t c = 0; c <= k; ++c)
        edge_root.at(k, c) = child_root.at(k, c);
    }
    take_root(child_root, rows.size());
    Response& response = trees.responses[edge.parent];
    add_response(response, rows, &TreeRow::of_parent, &TreeRow::parent_response, edge_root);
    take_root(edge_root, rows.size());
    take_from_response(edge_root, rows, response);
  }
}

/// Its bundles may have been measured anew for the sake of other joints.
void take_from_passes(Cluster& cluster, const JointTree& tree) {
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i)
    take_from_passes(cluster, cluster.joint_solver.trees.edges[i]);
}

}  // namespace

bool was_moved(const Cluster& cluster, const JointTree& tree, std::uint32_t since) {
  const JointArrays& arrays = cluster.joint_solver;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    if (since < arrays.moved[arrays.trees.bodies[i]]) return true;
  return false;
}

void factor_joint_trees(Cluster& cluster, const MendingView& mending) {
  JointTrees& trees = cluster.joint_solver.trees;
  if (trees.trees.empty()) return;
  trees.responses.resize(cluster.solver.bodies.size());
  trees.changes.resize(cluster.solver.bodies.size());
  cluster.workers.for_each_block(static_cast<std::uint32_t>(trees.trees.size()),
                                 [&](std::uint32_t i) {
                                   JointTree& tree = trees.trees[i];
                                   if (mending.is_on && !was_moved(cluster, tree, mending.since))
                                     take_from_passes(cluster, tree);
                                   else
                                     factor(cluster, tree);
                                 });
}

}  // namespace jostle::physics
