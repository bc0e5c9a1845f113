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

/// TreeJoint::directions, and how many.
std::size_t find_directions(const Cluster& cluster, TreeJoint& joint) {
  const JointArrays& arrays = cluster.joint_solver;
  const JointBundle& bundle = arrays.bundles[joint.bundle];
  const JointClass joint_class = joint_classes[joint.joint_class];
  constexpr Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Vec3 frame_y = y, frame_z = z;
  if (has_frames(joint_class)) {
    const math::Quat frame{bundle.frame_a[0][joint.lane], bundle.frame_a[1][joint.lane],
                           bundle.frame_a[2][joint.lane], bundle.frame_a[3][joint.lane]};
    const math::Quat rotation = arrays.poses[bundle.a[joint.lane]].rotation * frame;
    frame_y = rotate(rotation, y);
    frame_z = rotate(rotation, z);
  }
  switch (joint_class.kind) {
    case JointKind::Ball:
      joint.directions = {{{x, {}}, {y, {}}, {z, {}}}};
      return 3;
    case JointKind::Hinge:
      joint.directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, frame_y}, {{}, frame_z}}};
      return 5;
    case JointKind::Slider:
      joint.directions = {{{frame_y, {}}, {frame_z, {}}, {{}, x}, {{}, y}, {{}, z}}};
      return 5;
    case JointKind::Fixed:
      joint.directions = {{{x, {}}, {y, {}}, {z, {}}, {{}, x}, {{}, y}, {{}, z}}};
      return 6;
    default:  // distance joints; joints by coordinates are in no tree
      break;
  }
  const Vec3 apart = vector_of(bundle.apart, joint.lane);
  joint.directions[0] = {apart * (1.0f / math::max_of(length(apart), tiny)), {}};
  return bundle.is_rod[joint.lane] != 0.0f && length(apart) > tiny ? 1 : 0;
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
/// What it holds, J, and Σ.
void measure(const Cluster& cluster, TreeJoint& joint) {
  joint.row_count = find_directions(cluster, joint);
  const JointBundle& bundle = cluster.joint_solver.bundles[joint.bundle];
  const Vec3 arm_a = vector_of(bundle.arm_a, joint.lane);
  const Vec3 arm_b = vector_of(bundle.arm_b, joint.lane);
  const Response of_parent = own_response(cluster, joint.parent);
  const Response of_child = own_response(cluster, joint.child);
  for (std::size_t i = 0; i < joint.row_count; ++i) {
    const Velocity row_a = row_of(joint.directions[i], arm_a, -1),
                   row_b = row_of(joint.directions[i], arm_b, 1);
    joint.of_parent[i] = joint.is_parent_a ? row_a : row_b;
    joint.of_child[i] = joint.is_parent_a ? row_b : row_a;
    double response = dot(joint.of_parent[i], times(of_parent, joint.of_parent[i]));
    if (joint.child != 0) response += dot(joint.of_child[i], times(of_child, joint.of_child[i]));
    joint.softness[i] = trace_of_softness * response;
  }
}

/// J·Λ·Jᵀ, added to m; fills Λ·Jᵀ.
void add_response(const Response& response, const TreeJoint::Rows& jacobian, std::size_t rows,
                  TreeJoint::Rows& to, Square& m) {
  for (std::size_t i = 0; i < rows; ++i) {
    to[i] = times(response, jacobian[i]);
    for (std::size_t k = 0; k <= i; ++k)
      m[i][k] += dot(jacobian[k], to[i]);
  }
}

/// Passes have nothing to do but the rows.
void take_from_passes(JointBundle& bundle, std::size_t lane) {
  for (Lanes& row : bundle.linear_mass)
    row[lane] = 0;
  for (Lanes& row : bundle.angular_mass)
    row[lane] = 0;
}

void factor(Cluster& cluster, const JointTree& tree) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    trees.responses[trees.bodies[i]] = own_response(cluster, trees.bodies[i]);
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i) {
    TreeJoint& joint = trees.joints[i];
    measure(cluster, joint);
    take_from_passes(cluster.joint_solver.bundles[joint.bundle], joint.lane);
    const std::size_t rows = joint.row_count;
    Square m{};
    for (std::size_t k = 0; k < rows; ++k)
      m[k][k] = joint.softness[k];
    if (joint.child != 0) {
      add_response(trees.responses[joint.child], joint.of_child, rows, joint.child_response, m);
    }
    take_root(m, rows, joint.child_root);
    Response& response = trees.responses[joint.parent];
    add_response(response, joint.of_parent, rows, joint.parent_response, m);
    take_root(m, rows, joint.joint_root);
    // Λ·Jᵀ·T⁻¹·J·Λ = Y·Yᵀ with Y = Λ·Jᵀ·L⁻ᵀ
    std::array<Values, 6> y;
    for (std::size_t c = 0; c < 6; ++c) {
      for (std::size_t k = 0; k < rows; ++k)
        y[c][k] = joint.parent_response[k][c];
      solve_down(joint.joint_root, rows, y[c]);
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
  const JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i)
    take_from_passes(cluster.joint_solver.bundles[trees.joints[i].bundle], trees.joints[i].lane);
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
