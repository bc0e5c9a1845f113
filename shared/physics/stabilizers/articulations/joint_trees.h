#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/stabilizers/articulations/tree_arrays.h"

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
// linear, so the solution is repeated. The first prediction uses the velocities before the impulses
// of the trees, whose angular part is that of the last relax phase, apart from torques of the
// substep. The repetition ends when the predicted errors of anchors and axes are below 50 nm and
// 50 nrad and, as speeds, below 12 µm/s and 12 µrad/s. It also ends when a solution reduces them
// by less than a tenth. The limits are equal for substeps of 1/240 s; in shorter ones, 50 nm would
// be a large speed, which the relax phase would take from the motion. Impulses thus use
// the J of the start of the substep and make the positions satisfy the joints at its end. The relax
// phase then uses the J of the end and makes the velocities satisfy the joints. This is RATTLE
// (Andersen 1983): symplectic, of second order and without drift of energy. Trees under light loads
// are solved directly only while nothing but their joints acts on their bodies, or while one of
// their bodies has a contact with restitution. Otherwise passes solve them.
//
// The repetition converges while arms turn little in a substep. If a light body snaps through
// between heavy ones there may be no solution, and following the prediction would give the light
// body an extreme velocity. Removing the predicted error a adds the energy ½·aᵀ(J·M⁻¹·Jᵀ)⁻¹a to all
// other energy, because the rest of the velocity is M-orthogonal to it. The ratio of this energy to
// the energy of the motion is the square of half the angle, in rad, by which the arms turn. Above
// the ratio for 0.28 rad the prediction is scaled down, and from 0.57 rad on it is ignored.

// Ropes (distance joints with an upper limit only) are rods while they are taut. The set of taut
// ropes of a phase is found by block principal pivoting (Júdice and Pires, "A block principal
// pivoting algorithm for large-scale strictly monotone linear complementarity problems", 1994): the
// first solution includes all ropes that are nearly taut. Those that would push are released, those
// that would be too long are added, and the tree is solved again.

/// Properties that decide whether a tree under light loads is solved directly.
struct LightTree {
  bool is_acted_on = false;  // true if anything but its joints' equations acts on it
  bool bounces = false;      // true if a body has a contact with restitution
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
  std::vector<JointTree> trees;
  std::vector<TreeEdge> edges;
  std::vector<TreePart> parts;
  std::vector<TreeSource> sources;
  std::vector<std::uint32_t> bodies;  // solver indices
  // indexed by solver index
  std::vector<OwnMass> masses;
  std::vector<TreeResponse> responses;
  std::vector<TreeResponse> full_responses;  // F (stabilizers/geometric_stiffness/taut_trees.h)
  std::vector<VelocityChanges> changes;

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

/// Returns the input of the kernels of trees.
TreeView make_tree_view(Cluster& cluster);
/// Finds the trees of the cluster (stabilizers/articulations/joint_forest.h). Call it after
/// colouring.
void find_joint_trees(Cluster& cluster);
/// Returns true if position correction has moved a body of the tree after the time `since`.
bool was_moved(const Cluster& cluster, const JointTree& tree, std::uint32_t since);
/// Factors the trees. Call it after joints were measured. During position correction (`mending`),
/// only trees with a body that was moved are factored.
void factor_joint_trees(Cluster& cluster, const MendingView& mending);
/// Factors one tree.
void factor_tree(Cluster& cluster, const JointTree& tree);
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
/// Corrects the positions of trees in one pass of stabilizers/joint_positions/mend_joints.h. Call
/// it after the kernel `note_failure` has run.
void mend_joint_trees(Cluster& cluster, const MendingView& mending);

}  // namespace jostle::physics
