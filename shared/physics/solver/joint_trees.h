#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/state/motion_locks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

struct Cluster;
struct MendingView;

// Joint trees (articulations) are solved directly. Passes over joints one after the other carry a
// load by one joint per pass. If a heavy body hangs on light ones, a pass carries only the share
// given by the ratio of their masses. Long chains, and light links under heavy loads, therefore
// stretch, and the remaining error becomes wrong velocity. If the joints of movable bodies form a
// tree, the common solution costs no more than a few passes. With the rows J of all joints, the
// impulses λ solve
//
//   (J·M⁻¹·Jᵀ + Σ)·λ = −e,    v += M⁻¹·Jᵀ·λ
//
// Here e is the velocity error that the phase must remove (solver/joint_solver.h), and Σ is a trace
// of softness. The matrix is that of a tree, so that elimination from the leaves creates no fill-in
// (Baraff, "Linear-time dynamics using Lagrange multipliers", 1996). Bodies are eliminated by their
// responses, as in articulated-body algorithms (Featherstone, "Rigid body dynamics algorithms",
// 2008, §7). The response Λ, 6 × 6, is the change of a body's velocity by an impulse on it,
// including the effect of its subtree. It starts as M⁻¹. Each joint from a body to a child, or to
// the world, reduces it.
//
//   S = J_c·Λ_c·J_cᵀ + Σ     for joints to the world: Σ alone
//   T = S + J_p·Λ_p·J_pᵀ
//   Λ_p ← Λ_p − Λ_p·J_pᵀ·T⁻¹·J_p·Λ_p
//
// Here p is the body towards the root, and c the other one. Speeds are propagated in the same order
// up to the root, and impulses back down to the leaves.
//
//   up:    g = e + J_c·v_c,   v_p ← v_p − Λ_p·J_pᵀ·T⁻¹·(g + J_p·v_p)
//   down:  λ = −S⁻¹·(g + J_p·v_p),   v_c ← v_c + Λ_c·J_cᵀ·λ
//
// Only inverse masses are needed, which may be zero. All of this uses doubles, because between
// bodies of very different masses Λ is a small difference of large numbers.
//
// Each phase solves for λ without warm starting. An exact solution needs no warm start, and
// impulses that the rows cannot distinguish would grow from substep to substep. For example, the
// tension of a straight line between two posts moves nothing. Errors of micrometres along the line
// would increase it until floats no longer hold the difference and planks fly off.
//
// Limits, motors, springs and contacts are not equations of the joint itself. Passes solve them,
// alternating with the tree, and leave the blocks of the tree's joints alone. These blocks are not
// soft; contacts are.
//
// The biased solve predicts how far each body will have turned. It uses the same rotation as
// integration: torque-free, from the angular momentum that the impulses leave. This is not linear,
// so the solution is repeated until anchors and axes will meet to 50 nm. Impulses thus act by the J
// of the start of a substep, such that positions hold at its end. There the relax phase makes
// velocities hold by the J of the end. This is RATTLE (Andersen 1983): symplectic, of second order
// and without drift of energy. Trees that carry little, which passes could solve, are solved this
// way while one of their bodies turns fast and nothing but their joints acts on them.
//
// The repetition converges while arms turn little in a substep. If a light body snaps through
// between heavy ones there may be no solution, and the prediction would throw it. Removing the
// predicted error a adds the energy ½·aᵀ(J·M⁻¹·Jᵀ)⁻¹a to all other energy, because the rest of the
// velocity is M-orthogonal to it. Its ratio to the energy of the motion is the square of half the
// angle, in rad, by which the arms turn. Above the ratio for 0.28 rad the prediction is scaled
// down, and from 0.57 rad on it is ignored.

/// A joint that belongs to an edge.
struct TreePart {
  std::uint32_t bundle = 0, lane = 0, joint_class = 0;
  bool is_parent_a = false;
};

/// A direction that an edge holds, for the current poses.
struct TreeRow {
  using Velocity = std::array<double, 6>;  // linear, angular
  struct Direction {
    math::Vec3 linear, angular;
  };

  std::uint32_t part = 0;  // index in JointTrees::parts, if the edge has only one
  // directions of forces and torques on b; if the edge is shared, on the child
  Direction direction;
  Velocity of_parent, of_child;              // J
  Velocity parent_response, child_response;  // Λ·Jᵀ
  double softness = 0;                       // Σ
  double speed = 0, ahead = 0;               // e without its predicted part, and that part
};

/// A direction that one of several joints of an edge holds. All directions of an edge together have
/// at most six independent ones, its rows q; each source is a combination R·q of them. The values
/// of q are fitted to the errors of the sources by least squares, W = R·(Rᵀ·R)⁻¹. The impulse of q
/// is distributed to the sources by the same W, so that joints share the load evenly. Errors that
/// contradict each other, such as those along the line between two balls, cause no impulse. If each
/// source were solved by itself, the joints would pull against each other as far as floats allow.
/// In planar worlds, even a single joint can have redundant directions: there, an edge's rows are
/// those that can move one of its bodies.
struct TreeSource {
  std::uint32_t part = 0;         // index in JointTrees::parts
  TreeRow::Direction direction;   // directions of forces and torques on b
  std::array<double, 6> weights;  // W, by row of the edge
  double speed = 0, ahead = 0;    // e, as in TreeRow
};

/// The joints of a tree between the same two movable bodies, or between one body and the world.
/// Rows from row_count on are unused.
struct TreeEdge {
  static constexpr std::uint32_t max_parts = 16;
  static constexpr std::size_t max_rows = 6;
  using Values = std::array<double, max_rows>;
  using Square = std::array<Values, max_rows>;

  std::uint32_t first_part = 0, last_part = 0;  // range in JointTrees::parts
  std::uint32_t parent = 0, child = 0;          // solver indices; the child is 0 if it is the world
  // Range in JointTrees::sources, if it is shared.
  std::uint32_t first_source = 0, source_count = 0;
  std::size_t row_count = 0;
  std::array<TreeRow, max_rows> all_rows;
  Square child_root, edge_root;  // L of S = L·Lᵀ, and of T
  Values asked;                  // g

  state::MotionLocks locks = 0;  // locks that both bodies have

  /// Returns true if the directions of its joints are combined into its rows (TreeSource): it has
  /// several joints, or its bodies share locks.
  bool is_shared() const { return last_part - first_part > 1 || locks != 0; }
  std::span<TreeRow> rows() { return {all_rows.data(), row_count}; }
  std::span<const TreeRow> rows() const { return {all_rows.data(), row_count}; }
};

/// A tree. Its bodies and edges are [first, last) of JointTrees; edges are in the order from the
/// leaves to the root.
struct JointTree {
  std::uint32_t first_edge = 0, last_edge = 0;
  std::uint32_t first_body = 0, last_body = 0;
  std::uint32_t anchor = 0;  // solver index of the body that it is anchored to, if it is anchored
  bool is_anchored = false;
  // True if passes solve limits, motors, springs or other joints of its bodies.
  bool has_others = false;
  std::uint32_t looked = 0;  // time of the last check (MendingView)
  double believed = 1;       // share of the predicted error that is removed
  bool is_settled = false;   // true if the predicted error needs no further solution
  double failure = 0;        // predicted position error at the last solution, m and rad
};

/// Properties that decide whether a tree that carries little is solved directly.
struct LightTree {
  bool is_acted_on = false;  // true if anything but its joints' equations acts on it
  bool turns = false;        // true if a body turns fast, or far within a substep
};

/// Scratch data of one step.
struct JointTrees {
  static constexpr std::uint32_t no_link = 0xFFFFFFFFU;

  struct Link {
    std::uint32_t joint = 0;  // index in JointArrays::coloured
    std::uint32_t next = no_link;
  };
  struct Grown {
    std::uint32_t parent = 0, child = 0;
    std::uint32_t first_joint = 0, last_joint = 0;  // range in `joints`
  };
  using Response = std::array<TreeRow::Velocity, 6>;  // Λ

  std::vector<JointTree> trees;
  std::vector<TreeEdge> edges;
  std::vector<TreePart> parts;
  std::vector<TreeSource> sources;
  std::vector<std::uint32_t> bodies;       // solver indices
  std::vector<Response> responses;         // indexed by solver index
  std::vector<TreeRow::Velocity> changes;  // indexed by solver index

  // Used to find the trees.
  std::vector<LightTree> lights;                 // indexed by the solver index of the root
  std::vector<std::uint32_t> roots, first_link;  // solver indices of the roots; by solver index
  std::vector<Link> links;
  std::vector<std::uint32_t> parents;  // parallel to `bodies`: the parent, or no_link
  // By solver index: index in `bodies`, valid for bodies of a tree.
  std::vector<std::uint32_t> places;
  std::vector<Grown> grown;           // edges from the root to the leaves
  std::vector<std::uint32_t> joints;  // joints of these edges, as indices in JointArrays::coloured

  std::span<TreeSource> sources_of(const TreeEdge& edge) {
    return {sources.data() + edge.first_source, edge.source_count};
  }
};

/// Finds the trees of the cluster (solver/joint_forest.h). Call it after colouring.
void find_joint_trees(Cluster& cluster);
/// Returns true if position correction has moved a body of the tree after the time `since`.
bool was_moved(const Cluster& cluster, const JointTree& tree, std::uint32_t since);
/// Factors the trees. Call it after joints were measured. During position correction only trees of
/// which a body was moved are factored.
void factor_joint_trees(Cluster& cluster, const MendingView& mending);
/// Resets the predictions of all trees at the start of a biased solve. A prediction that was scaled
/// down in the previous substep may be used fully again.
void begin_hold(JointTrees& trees);
/// Solves the trees. Call it with pass 0 before the first pass, and again after each pass; the
/// kernel `note_asked` must have run. Trees on which passes do not act need fewer calls.
void solve_joint_trees(Cluster& cluster, JointPhase phase, int pass);
/// Returns true if the prediction has not converged for some tree on which passes do not act.
bool has_unsettled(const JointTrees& trees);
/// Corrects the positions of trees in one pass of solver/mend_joints.h. Call it after the kernel
/// `note_failure` has run.
void mend_joint_trees(Cluster& cluster, const MendingView& mending);

}  // namespace jostle::physics
