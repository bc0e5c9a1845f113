#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/tree_algebra.h"

#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

using namespace tree;

/// Of what a row's own bodies do for an impulse, as much does every row give way, so that joints
/// that contradict each other have a solution.
constexpr double trace_of_softness = 1e-9;

/// A row of an edge that may be taken, and what J is for it.
struct Row {
  std::uint32_t part = 0;
  Direction direction;
  Velocity of_parent{}, of_child{};
};
/// All rows of the joints of an edge.
struct RowList {
  std::array<Row, TreeEdge::max_parts * TreeEdge::max_rows> rows;
  std::size_t count = 0;
};

using Directions = std::array<Direction, TreeEdge::max_rows>;

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

/// L of m = L·Lᵀ, with the inverses of its diagonal there; rows without any response, as along
/// locked axes, are left out.
void take_root(const Square& m, std::size_t rows, Square& root) {
  constexpr double rounding = 1e-14;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = m[i][k];
      for (std::size_t j = 0; j < k; ++j)
        sum -= root[i][j] * root[k][j];
      if (i != k) {
        root[i][k] = sum * root[k][k];
      } else {
        root[i][i] = sum > rounding * m[i][i] ? 1.0 / std::sqrt(sum) : 0.0;
      }
    }
  }
}
void add_rows(const Cluster& cluster, const TreeEdge& edge, std::uint32_t index, RowList& list) {
  const TreePart& part = cluster.joint_solver.trees.parts[index];
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  const Vec3 arm_a = vector_of(bundle.arm_a, part.lane);
  const Vec3 arm_b = vector_of(bundle.arm_b, part.lane);
  Directions directions;
  const std::size_t count = find_directions(cluster, part, directions);
  for (std::size_t i = 0; i < count; ++i) {
    const Velocity row_a = row_of(directions[i], arm_a, -1),
                   row_b = row_of(directions[i], arm_b, 1);
    Row& row = list.rows[list.count++];
    row = {index, directions[i], part.is_parent_a ? row_a : row_b,
           part.is_parent_a ? row_b : row_a};
    if (edge.child == 0) row.of_child = {};
  }
}

/// Rows of several joints that others do not imply: Gram and Schmidt's, the longest that is left
/// first. Their length is by what the bodies do for an impulse, were they free.
void take_independent(const Response& of_parent, const Response& of_child, RowList& list) {
  /// Of a row's square, what is left of it by which it is one of its own: a turn of a hundredth.
  constexpr double least = 1e-4;
  std::array<double, TreeEdge::max_parts * TreeEdge::max_rows> whole;
  RowList rest = list;
  const auto product = [&](const Row& a, const Row& b) {
    return dot(a.of_parent, times(of_parent, b.of_parent)) +
           dot(a.of_child, times(of_child, b.of_child));
  };
  for (std::size_t i = 0; i < rest.count; ++i)
    whole[i] = product(rest.rows[i], rest.rows[i]);
  RowList taken;
  while (taken.count < TreeEdge::max_rows) {
    std::size_t longest = 0;
    double left = 0;
    for (std::size_t i = 0; i < rest.count; ++i) {
      const double square = product(rest.rows[i], rest.rows[i]);
      if (square > least * whole[i] && square > left * whole[i]) {
        longest = i;
        left = square / whole[i];
      }
    }
    if (!(left > 0)) break;
    const Row axis = rest.rows[longest];
    const double squared = product(axis, axis);
    for (std::size_t i = 0; i < rest.count; ++i) {
      const double share = product(axis, rest.rows[i]) / squared;
      add_times(rest.rows[i].of_parent, axis.of_parent, -share);
      add_times(rest.rows[i].of_child, axis.of_child, -share);
    }
    rest.rows[longest].of_parent = rest.rows[longest].of_child = {};
    taken.rows[taken.count++] = list.rows[longest];
  }
  list = taken;
}

/// What the edge holds, J, and Σ.
void measure(const Cluster& cluster, TreeEdge& edge) {
  const Response of_parent = own_response(cluster, edge.parent);
  const Response of_child = edge.child != 0 ? own_response(cluster, edge.child) : Response{};
  RowList list;
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i)
    add_rows(cluster, edge, i, list);
  if (edge.last_part - edge.first_part > 1) take_independent(of_parent, of_child, list);
  edge.row_count = list.count;
  for (std::size_t i = 0; i < list.count; ++i) {
    const Row& row = list.rows[i];
    edge.parts[i] = row.part;
    edge.directions[i] = row.direction;
    edge.of_parent[i] = row.of_parent;
    edge.of_child[i] = row.of_child;
    double response = dot(row.of_parent, times(of_parent, row.of_parent));
    if (edge.child != 0) response += dot(row.of_child, times(of_child, row.of_child));
    edge.softness[i] = trace_of_softness * response;
  }
}

/// J·Λ·Jᵀ, added to m; fills Λ·Jᵀ.
void add_response(const Response& response, const TreeEdge::Rows& jacobian, std::size_t rows,
                  TreeEdge::Rows& to, Square& m) {
  for (std::size_t i = 0; i < rows; ++i) {
    to[i] = times(response, jacobian[i]);
    for (std::size_t k = 0; k <= i; ++k)
      m[i][k] += dot(jacobian[k], to[i]);
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

void factor(Cluster& cluster, const JointTree& tree) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    trees.responses[trees.bodies[i]] = own_response(cluster, trees.bodies[i]);
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = trees.edges[i];
    measure(cluster, edge);
    take_from_passes(cluster, edge);
    const std::size_t rows = edge.row_count;
    Square m{};
    for (std::size_t k = 0; k < rows; ++k)
      m[k][k] = edge.softness[k];
    if (edge.child != 0) {
      add_response(trees.responses[edge.child], edge.of_child, rows, edge.child_response, m);
    }
    take_root(m, rows, edge.child_root);
    Response& response = trees.responses[edge.parent];
    add_response(response, edge.of_parent, rows, edge.parent_response, m);
    take_root(m, rows, edge.edge_root);
    // Λ·Jᵀ·T⁻¹·J·Λ = Y·Yᵀ with Y = Λ·Jᵀ·L⁻ᵀ
    std::array<Values, 6> y;
    for (std::size_t c = 0; c < 6; ++c) {
      for (std::size_t k = 0; k < rows; ++k)
        y[c][k] = edge.parent_response[k][c];
      solve_down(edge.edge_root, rows, y[c]);
    }
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t c = 0; c < 6; ++c) {
        for (std::size_t k = 0; k < rows; ++k)
          response[r][c] -= y[r][k] * y[c][k];
      }
    }
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
