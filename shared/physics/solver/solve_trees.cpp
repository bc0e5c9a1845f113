#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_trees.h"

#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

using Velocity = TreeJoint::Velocity;
using Values = TreeJoint::Values;
using Direction = TreeJoint::Direction;
using Square = TreeJoint::Square;
using Response = JointTrees::Response;

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

double dot(const Velocity& a, const Velocity& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}
void add_times(Velocity& to, const Velocity& what, double factor) {
  for (std::size_t i = 0; i < 6; ++i)
    to[i] += what[i] * factor;
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
/// L⁻¹·x
void solve_down(const Square& root, std::size_t rows, Values& x) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < i; ++k)
      x[i] -= root[i][k] * x[k];
    x[i] *= root[i][i];
  }
}
/// (L·Lᵀ)⁻¹·x
void solve(const Square& root, std::size_t rows, Values& x) {
  solve_down(root, rows, x);
  for (std::size_t i = rows; i > 0; --i) {
    for (std::size_t k = i; k < rows; ++k)
      x[i - 1] -= root[k][i - 1] * x[k];
    x[i - 1] *= root[i - 1][i - 1];
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

/// ω·I·ω
double turning_energy(const Cluster& cluster, std::uint32_t body) {
  const math::Mat3 inverse = to_matrix(cluster.joint_solver.inertias[body]);
  const math::Vec3d w = math::widened(cluster.solver.velocities[body].angular);
  const auto x = [&](Vec3 c) { return math::widened(c); };
  const math::Vec3d a = x(inverse.cx), b = x(inverse.cy), c = x(inverse.cz);
  const math::Vec3d bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double determinant = math::dot(a, bc);
  if (!(determinant > 0)) return 0;
  return (math::dot(bc, w) * w.x + math::dot(ca, w) * w.y + math::dot(ab, w) * w.z) / determinant;
}

double along(const Direction& direction, Vec3 linear, Vec3 angular) {
  return static_cast<double>(math::dot(direction.linear, linear)) +
         static_cast<double>(math::dot(direction.angular, angular));
}

void read_speeds(const Cluster& cluster, TreeJoint& joint, JointPhase phase) {
  const JointBundle& bundle = cluster.joint_solver.bundles[joint.bundle];
  const Vec3 anchors = vector_of(bundle.asked_anchors, joint.lane);
  const Vec3 turns = vector_of(bundle.asked_turns, joint.lane);
  const Vec3 ahead = vector_of(bundle.ahead, joint.lane);
  for (std::size_t i = 0; i < joint.row_count; ++i) {
    joint.speeds[i] = along(joint.directions[i], anchors, turns);
    joint.ahead[i] = phase == HoldPhase ? along(joint.directions[i], ahead, {}) : 0.0;
  }
}

void add(Lanes (&rows)[3], std::size_t lane, const math::Vec3d& v) {
  rows[0][lane] += static_cast<float>(v.x);
  rows[1][lane] += static_cast<float>(v.y);
  rows[2][lane] += static_cast<float>(v.z);
}

void add_impulse(Cluster& cluster, const TreeJoint& joint, JointPhase phase) {
  const Values& impulse = joint.asked;
  math::Vec3d linear, angular;
  for (std::size_t i = 0; i < joint.row_count; ++i) {
    linear = linear + math::widened(joint.directions[i].linear) * impulse[i];
    angular = angular + math::widened(joint.directions[i].angular) * impulse[i];
  }
  JointBundle& bundle = cluster.joint_solver.bundles[joint.bundle];
  const JointClass joint_class = joint_classes[joint.joint_class];
  add(bundle.linear[phase], joint.lane, linear);
  add(bundle.step_linear, joint.lane, linear);
  if (holds_rotation(joint_class)) {
    add(bundle.angular[phase], joint.lane, angular);
    add(bundle.step_angular, joint.lane, angular);
  }
}

/// From the leaves to the root; `asked` is e before, g after.
void go_up(JointTrees& trees, const JointTree& tree) {
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    trees.changes[trees.bodies[i]] = {};
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i) {
    TreeJoint& joint = trees.joints[i];
    const std::size_t rows = joint.row_count;
    if (joint.child != 0) {
      for (std::size_t k = 0; k < rows; ++k)
        joint.asked[k] += dot(joint.of_child[k], trees.changes[joint.child]);
    }
    Values x = joint.asked;
    Velocity& change = trees.changes[joint.parent];
    for (std::size_t k = 0; k < rows; ++k)
      x[k] += dot(joint.of_parent[k], change);
    solve(joint.joint_root, rows, x);
    for (std::size_t k = 0; k < rows; ++k)
      add_times(change, joint.parent_response[k], -x[k]);
  }
}

/// From the root to the leaves: `asked` becomes the impulses, `changes` what they do.
void go_down(JointTrees& trees, const JointTree& tree) {
  for (std::uint32_t i = tree.last_joint; i > tree.first_joint; --i) {
    TreeJoint& joint = trees.joints[i - 1];
    const std::size_t rows = joint.row_count;
    for (std::size_t k = 0; k < rows; ++k)
      joint.asked[k] = -(joint.asked[k] + dot(joint.of_parent[k], trees.changes[joint.parent]));
    solve(joint.child_root, rows, joint.asked);
    if (joint.child == 0) continue;
    for (std::size_t k = 0; k < rows; ++k)
      add_times(trees.changes[joint.child], joint.child_response[k], joint.asked[k]);
  }
}

/// Twice the energy that answering what is foreseen would bring: aᵀ·K⁻¹·a
double energy_ahead(JointTrees& trees, const JointTree& tree) {
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i)
    trees.joints[i].asked = trees.joints[i].ahead;
  go_up(trees, tree);
  go_down(trees, tree);
  double sum = 0;
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i) {
    const TreeJoint& joint = trees.joints[i];
    for (std::size_t k = 0; k < joint.row_count; ++k)
      sum -= joint.asked[k] * joint.ahead[k];
  }
  return sum;
}

/// Twice the energy of the bodies' motion against what they hang on, or else against their middle.
double energy_of(const Cluster& cluster, const JointTree& tree) {
  const JointTrees& trees = cluster.joint_solver.trees;
  const auto velocity_of = [&](std::uint32_t i) -> const SolverVelocity& {
    return cluster.solver.velocities[trees.bodies[i]];
  };
  math::Vec3d middle = math::widened(cluster.solver.velocities[tree.anchor].linear);
  if (!tree.is_anchored) {
    double mass = 0;
    middle = {};
    for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
      const double own = 1.0 / static_cast<double>(velocity_of(i).inverse_mass);
      middle = middle + math::widened(velocity_of(i).linear) * own;
      mass += own;
    }
    middle = middle * (1.0 / mass);
  }
  double sum = 0;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const math::Vec3d v = math::widened(velocity_of(i).linear) - middle;
    sum += math::dot(v, v) / static_cast<double>(velocity_of(i).inverse_mass);
    sum += turning_energy(cluster, trees.bodies[i]);
  }
  return sum;
}

/// What is foreseen holds while arms turn by little in a substep: its energy is to that of the
/// motion as the square of half the angle to one. Where a light body is about to snap through
/// between heavy ones there may be no solution at all, and it would be thrown.
double share_believed(double ahead, double motion) {
  constexpr double all = 0.02, none = 0.08;
  if (!(ahead > all * motion)) return 1;
  return ahead < none * motion ? (none - ahead / motion) / (none - all) : 0;
}

void solve(Cluster& cluster, JointTree& tree, JointPhase phase) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i)
    read_speeds(cluster, trees.joints[i], phase);
  if (phase == HoldPhase) {
    const double share = share_believed(energy_ahead(trees, tree), energy_of(cluster, tree));
    tree.believed = share < tree.believed ? share : tree.believed;
  }
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i) {
    TreeJoint& joint = trees.joints[i];
    for (std::size_t k = 0; k < joint.row_count; ++k)
      joint.asked[k] = joint.speeds[k] + tree.believed * joint.ahead[k];
  }
  go_up(trees, tree);
  go_down(trees, tree);
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i)
    add_impulse(cluster, trees.joints[i], phase);
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const Velocity& change = trees.changes[trees.bodies[i]];
    SolverVelocity& velocity = cluster.solver.velocities[trees.bodies[i]];
    const auto plus = [](float& value, double by) {
      value = static_cast<float>(static_cast<double>(value) + by);
    };
    plus(velocity.linear.x, change[0]);
    plus(velocity.linear.y, change[1]);
    plus(velocity.linear.z, change[2]);
    plus(velocity.angular.x, change[3]);
    plus(velocity.angular.y, change[4]);
    plus(velocity.angular.z, change[5]);
  }
}

}  // namespace

void begin_hold(JointTrees& trees) {
  for (JointTree& tree : trees.trees)
    tree.believed = 1;
}

void factor_joint_trees(Cluster& cluster) {
  JointTrees& trees = cluster.joint_solver.trees;
  if (trees.trees.empty()) return;
  trees.responses.resize(cluster.solver.bodies.size());
  trees.changes.resize(cluster.solver.bodies.size());
  cluster.workers.for_each_block(static_cast<std::uint32_t>(trees.trees.size()),
                                 [&](std::uint32_t i) { factor(cluster, trees.trees[i]); });
}

void solve_joint_trees(Cluster& cluster, JointPhase phase, int pass) {
  // Velocities alone are linear; what is foreseen of the arms' turning is found by two more.
  const int last_without_rows = phase == HoldPhase ? 2 : 0;
  JointTrees& trees = cluster.joint_solver.trees;
  cluster.workers.for_each_block(static_cast<std::uint32_t>(trees.trees.size()),
                                 [&](std::uint32_t i) {
                                   JointTree& tree = trees.trees[i];
                                   if (tree.has_others || pass <= last_without_rows)
                                     solve(cluster, tree, phase);
                                 });
}

}  // namespace jostle::physics
