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

// Joint trees (articulations) are solved directly. Passes over the joints, one after the other,
// propagate a load by one joint per pass. If a heavy body hangs on light ones, a pass transfers
// only the share given by the ratio of their masses. Long chains, and light links under heavy
// loads, would therefore stretch, and the remaining error would become wrong velocity. If the
// joints of dynamic bodies form a tree, the exact solution costs no more than a few passes. With
// the rows J of all joints, the impulses λ solve
//
//   (J·M⁻¹·Jᵀ + Σ)·λ = −e,    v += M⁻¹·Jᵀ·λ
//
// Here e is the velocity error that the phase must remove (solver/joint_solver.h), and Σ is a
// negligible softness. The matrix has the sparsity of the tree, so that elimination from the leaves
// creates no fill-in (Baraff, "Linear-time dynamics using Lagrange multipliers", 1996). Bodies are
// eliminated by their responses, as in articulated-body algorithms (Featherstone, "Rigid body
// dynamics algorithms", 2008, §7). The response Λ, 6 × 6, is the change of a body's velocity by an
// impulse on it, including the effect of its subtree. It starts as M⁻¹. Each joint from the body to
// a child, or to the world, reduces it.
//
//   S = J_c·Λ_c·J_cᵀ + Σ     for joints to the world: Σ alone
//   T = S + J_p·Λ_p·J_pᵀ
//   Λ_p ← Λ_p − Λ_p·J_pᵀ·T⁻¹·J_p·Λ_p
//
// Here p is the body nearer to the root, and c the other body. Elimination propagates velocity
// changes v, which start at 0, in the same order up to the root. Back-substitution then computes
// the impulses from the root down to the leaves.
//
//   up:    g = e + J_c·v_c,   v_p ← v_p − Λ_p·J_pᵀ·T⁻¹·(g + J_p·v_p)
//   down:  λ = −S⁻¹·(g + J_p·v_p),   v_c ← v_c + Λ_c·J_cᵀ·λ
//
// Only inverse masses are needed, which may be zero. All calculations use doubles, because between
// bodies of very different masses Λ is a small difference of large numbers.
//
// Each phase solves for λ without warm starting. An exact solution needs no warm start. With warm
// starting, impulses that the rows cannot distinguish would grow from substep to substep. For
// example, the tension of a straight line of joints between two posts moves nothing. Errors of
// micrometres along the line would increase this tension until floats could no longer represent the
// difference of the impulses and bodies would fly off.
//
// Limits, motors and springs are not equations of the tree. Passes over the joints solve them,
// alternating with the tree, and skip the blocks of the tree's joints. These blocks are not soft.
// Contacts are soft; they are solved after all joints.
//
// The biased solve predicts the rotation of each body over the substep. As in integration, the
// rotation is torque-free, from the angular momentum after the impulses. This prediction is not
// linear, so the solution is repeated. It ends when the predicted errors of anchors and axes are
// below 50 nm and 50 nrad, or when a solution reduces them by less than a tenth. Impulses thus use
// the J of the start of the substep and make the positions satisfy the joints at its end. The relax
// phase then uses the J of the end and makes the velocities satisfy the joints. This is RATTLE
// (Andersen 1983): symplectic, of second order and without drift of energy. Trees under light loads
// are solved directly only while one of their bodies turns fast and nothing but their joints acts
// on them. Otherwise passes solve them.
//
// The repetition converges while arms turn little in a substep. If a light body snaps through
// between heavy ones there may be no solution, and following the prediction would give the light
// body an extreme velocity. Removing the predicted error a adds the energy ½·aᵀ(J·M⁻¹·Jᵀ)⁻¹a to all
// other energy, because the rest of the velocity is M-orthogonal to it. The ratio of this energy to
// the energy of the motion is the square of half the angle, in rad, by which the arms turn. Above
// the ratio for 0.28 rad the prediction is scaled down, and from 0.57 rad on it is ignored.

/// A joint of an edge: its bundle, lane and class, and whether its body a is the edge's parent.
struct TreePart {
  std::uint32_t bundle = 0, lane = 0, joint_class = 0;
  bool is_parent_a = false;
};

/// One direction that an edge constrains, for the current poses.
struct TreeRow {
  using Velocity = std::array<double, 6>;  // linear, angular
  struct Direction {
    math::Vec3 linear, angular;
  };

  std::uint32_t part = 0;  // index in JointTrees::parts, if the edge has only one part
  // Directions of forces and torques: on b, or on the child if the edge is shared
  // (TreeEdge::is_shared).
  Direction direction;
  Velocity of_parent, of_child;              // J
  Velocity parent_response, child_response;  // Λ·Jᵀ
  Velocity parent_gain;                      // Λ_p·J_pᵀ·T⁻¹
  double softness = 0;                       // Σ
  double speed = 0, ahead = 0;               // e without its predicted part; the predicted part
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
  std::uint32_t part = 0;         // index in JointTrees::parts
  TreeRow::Direction direction;   // directions of forces and torques on b
  std::array<double, 6> weights;  // W, by row of the edge
  double speed = 0, ahead = 0;    // e, as in TreeRow
};

/// Two values that are computed together: one of the solution for the rows' `speed` and one of that
/// for their `ahead`. The first plus a share of the second solves the tree for that share of the
/// prediction. The same SIMD instructions compute both values.
struct TwoValues {
  using Lanes [[gnu::vector_size(16)]] = double;
  Lanes lanes{};

  static TwoValues of(double first, double second) { return {Lanes{first, second}}; }
  double first() const { return lanes[0]; }
  double second() const { return lanes[1]; }
  /// Returns the first solution plus `share` of the second one, which may be NaN if `share` is 0.
  double with_share(double share) const {
    return share > 0 ? lanes[0] + share * lanes[1] : lanes[0];
  }

  friend TwoValues operator+(TwoValues a, TwoValues b) { return {a.lanes + b.lanes}; }
  friend TwoValues operator-(TwoValues a, TwoValues b) { return {a.lanes - b.lanes}; }
  friend TwoValues operator*(TwoValues a, double b) { return {a.lanes * b}; }
};

/// The joints of a tree between the same two dynamic bodies, or between one body and the world.
/// Rows from row_count on are unused.
struct TreeEdge {
  static constexpr std::uint32_t max_parts = 16;
  static constexpr std::size_t max_rows = 6;
  using Values = std::array<double, max_rows>;
  using Square = std::array<Values, max_rows>;

  std::uint32_t first_part = 0, last_part = 0;  // range in JointTrees::parts
  std::uint32_t parent = 0, child = 0;          // solver indices; the child is 0 if it is the world
  // Range in JointTrees::sources, if the edge is shared.
  std::uint32_t first_source = 0, source_count = 0;
  std::size_t row_count = 0;
  std::array<TreeRow, max_rows> all_rows;
  Square child_inverse;  // S⁻¹
  // for each of the two solutions: e, then g after elimination, then λ after back-substitution
  std::array<TwoValues, max_rows> asked;

  state::MotionLocks locks = 0;  // locks that both bodies have; the world has all

  /// Returns true if the directions of its joints are combined into its rows (TreeSource): it has
  /// several joints, or its bodies share locks.
  bool is_shared() const { return last_part - first_part > 1 || locks != 0; }
  std::span<TreeRow> rows() { return {all_rows.data(), row_count}; }
  std::span<const TreeRow> rows() const { return {all_rows.data(), row_count}; }
};

/// A tree. Its bodies and edges are the ranges [first, last) in the lists of JointTrees. Edges are
/// in the order from the leaves to the root.
struct JointTree {
  std::uint32_t first_edge = 0, last_edge = 0;
  std::uint32_t first_body = 0, last_body = 0;
  std::uint32_t anchor = 0;  // solver index of the first body that anchors it, if any does
  bool is_anchored = false;
  // True if passes act on its bodies, because of limits, motors, springs or joints outside of the
  // tree.
  bool has_others = false;
  std::uint32_t looked = 0;  // time of the last check (MendingView)
  double believed = 1;       // share of the predicted error that is removed
  bool is_settled = false;   // true if the predicted error needs no further solution
  double failure = 0;        // predicted position error at the last solution, m and rad
};

/// Properties that decide whether a tree under light loads is solved directly.
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
  using TwoVelocities = std::array<TwoValues, 6>;     // linear, angular

  std::vector<JointTree> trees;
  std::vector<TreeEdge> edges;
  std::vector<TreePart> parts;
  std::vector<TreeSource> sources;
  std::vector<std::uint32_t> bodies;   // solver indices
  std::vector<Response> responses;     // indexed by solver index
  std::vector<TwoVelocities> changes;  // indexed by solver index

  // Used to find the trees.
  std::vector<LightTree> lights;  // indexed by the solver index of the root
  std::vector<std::uint32_t> roots,
      first_link;  // `roots`: solver indices; `first_link`: by solver index, first entry in `links`
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
/// Factors the trees. Call it after joints were measured. During position correction (`mending`),
/// only trees with a body that was moved are factored.
void factor_joint_trees(Cluster& cluster, const MendingView& mending);
/// Resets the predictions of all trees at the start of a biased solve. A prediction that was scaled
/// down in the previous substep thus starts with its full share again.
void begin_hold(JointTrees& trees);
/// Solves the trees in a phase. Call it with pass 0 before the first pass, and with pass 1, 2, …
/// after each pass; the kernel `note_asked` must have run. If passes do not act on a tree, calls
/// with a pass above 0 solve it only in the biased solve, and only until its prediction has
/// converged.
void solve_joint_trees(Cluster& cluster, JointPhase phase, int pass);
/// Returns true if the prediction has not converged for some tree on which passes do not act.
bool has_unsettled(const JointTrees& trees);
/// Corrects the positions of trees in one pass of solver/mend_joints.h. Call it after the kernel
/// `note_failure` has run.
void mend_joint_trees(Cluster& cluster, const MendingView& mending);

}  // namespace jostle::physics
