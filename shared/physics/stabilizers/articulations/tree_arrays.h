#pragma once

#include "shared/math/vec3.h"
#include "shared/state/motion_locks.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

struct JointBundle;

// Data of joint trees in the layout of their kernels (kernels/tree_kernels.h). joint_trees.h
// defines the symbols. A velocity or an impulse is a row of eight lanes, as in SolverVelocity:
// linear.xyz, unused, angular.xyz, unused.

/// A joint of an edge: its bundle, lane and class, and whether its body a is the edge's parent.
struct TreePart {
  std::uint32_t bundle = 0, lane = 0, joint_class = 0;
  bool is_parent_a = false;
  bool holds_rotation = false;  // holds_rotation() of its class
};

/// Direction of a force and of a torque on b.
struct TreeDirection {
  math::Vec3 linear, angular;
};

/// A direction that one of the joints of a shared edge constrains. The sources of an edge span at
/// most six independent directions, its rows q, so that the sources are R·q. The errors of the rows
/// q are fitted to those of the sources by least squares, W = R·(Rᵀ·R)⁻¹. The impulses of q are
/// distributed to the sources by the same W, so that the joints share the load evenly. Errors that
/// contradict each other, such as those along the line between two ball joints, cause no impulse.
/// If each source were solved separately, the joints would pull against each other with very large
/// impulses. In planar worlds, even a single joint can have redundant directions. There, an edge's
/// rows are those that can move one of its bodies.
struct TreeSource {
  std::uint32_t part = 0;  // index in JointTrees::parts
  TreeDirection direction;
  std::array<double, 6> weights;  // W, by row of the edge
  double speed = 0;               // e without its predicted part
};

/// Four rows of J, one in each lane, by component: linear, then angular.
struct FourRows {
  double of[6][4];
};

/// The joints of a tree between the same two dynamic bodies, or between one body and the world. An
/// edge has up to six rows, the directions that it constrains. Arrays of eight values by row have
/// two unused lanes.
struct alignas(32) TreeEdge {
  static constexpr std::uint32_t max_parts = 16;
  static constexpr std::size_t max_rows = 6;

  FourRows of_parent[2], of_child[2];  // J; row r is in lane r % 4 of element r / 4
  double child_inverse[2][6][4];       // S⁻¹ by column, rows as in J
  double parent_gain[6][8];            // Λ_p·J_pᵀ·T⁻¹, by row
  double child_response[6][8];         // Λ_c·J_cᵀ, by row
  // e by solution and row: without its predicted part, and the predicted part
  double errors[2][8];
  double impulses[2][8];  // by solution and row: g after elimination, λ after back-substitution
  double softness[8];     // Σ by row
  // Directions of the rows, twice: by component and row, with zeros for rows from row_count on, and
  // by row in the layout of an impulse.
  float directions[6][8];
  float wrenches[6][8];
  double parent_arm[3], child_arm[3];  // from the centres of mass to the point of action, m
  double sign;  // 1 if the directions act on the child, −1 if they act on the parent

  std::uint32_t first_part, last_part;  // range in JointTrees::parts
  std::uint32_t parent, child;          // solver indices; the child is 0 if it is the world
  // Range in JointTrees::sources, if the edge is shared.
  std::uint32_t first_source, source_count;
  std::size_t row_count;
  state::MotionLocks locks;  // locks that both bodies have; the world has all

  /// Returns true if the directions of its joints are combined into its rows (TreeSource): it has
  /// several joints, or its bodies share locks.
  bool is_shared() const { return last_part - first_part > 1 || locks != 0; }
};

/// Inverse mass along each axis, 1/kg, and inverse inertia xx, xy, xz, yy, yz, zz, 1/(kg·m²), of a
/// body without joints: M⁻¹.
struct OwnMass {
  double inverse_mass[3], inverse_inertia[6];
};

/// The response Λ of a body. Columns are velocity changes by unit impulses: linear, then angular.
struct alignas(32) TreeResponse {
  double columns[6][8];
};

/// Changes of a body's velocity, by solution: by the impulses against TreeEdge::errors[0], and by
/// those against errors[1]. The first plus a share of the second solves the tree for that share of
/// the prediction.
struct alignas(32) VelocityChanges {
  double of[2][8];
};

/// A tree. Its bodies and edges are the ranges [first, last) in the lists of JointTrees. Edges are
/// in the order from the leaves to the root.
struct JointTree {
  std::uint32_t first_edge = 0, last_edge = 0;
  std::uint32_t first_body = 0, last_body = 0;
  std::uint32_t anchor = 0;  // solver index of the first body that anchors it, if any does
  bool is_anchored = false;
  bool has_shared = false;  // true if one of its edges is shared
  bool has_ropes = false;   // true if one of its edges is a rope (JointBundle::rope_lanes)
  // True if passes act on its bodies, because of limits, motors, springs or joints outside of the
  // tree.
  bool has_others = false;
  std::uint32_t looked = 0;  // time of the last check (MendingView)
  double believed = 1;       // share of the predicted error that is removed
  bool is_settled = false;   // true if the predicted error needs no further solution
  double failure = 0;        // predicted position error at the last solution, m and rad
};

/// Pointers into JointTrees, JointArrays and SolverArrays: the input of the kernels of trees.
struct TreeView {
  TreeEdge* edges = nullptr;
  const TreePart* parts = nullptr;
  const std::uint32_t* bodies = nullptr;
  // indexed by solver index
  const OwnMass* masses = nullptr;
  TreeResponse *responses = nullptr, *full_responses = nullptr;
  VelocityChanges* changes = nullptr;
  float* velocities = nullptr;  // rows of eight floats, SolverVelocity
  JointBundle* bundles = nullptr;
};

/// Kernels of one tree for one instruction set. Those of errors and impulses skip shared edges.
struct TreeKernelTable {
  /// Computes J and Σ of the edges from their directions and arms, and factors the tree.
  void (*factor)(const TreeView&, const JointTree&);
  /// Computes the responses F of the bodies, with all joints of the tree
  /// (stabilizers/geometric_stiffness/taut_trees.h).
  void (*respond)(const TreeView&, const JointTree&);
  /// Fills TreeEdge::errors[0], at [1] both errors. Returns the largest error with the share
  /// `share` of the predicted part.
  double (*read_errors[2])(const TreeView&, const JointTree&, double share);
  /// Solves the tree for errors[0], at [1] for both errors. Fills the impulses and the changes of
  /// the bodies. At [1], returns Σ λ·e of the second solution.
  double (*solve[2])(const TreeView&, const JointTree&);
  /// Adds the impulses, with the share `share` of the second solution, to the bundles. By phase; if
  /// `is_first`, the impulses of the phase are replaced.
  void (*add_impulses[2])(const TreeView&, const JointTree&, double share, bool is_first);
  /// Adds `factor` times the changes, with the share `share` of the second solution, to the
  /// velocities of the bodies.
  void (*add_changes)(const TreeView&, const JointTree&, double factor, double share);
};

}  // namespace jostle::physics
