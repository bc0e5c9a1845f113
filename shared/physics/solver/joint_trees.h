#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/state/locks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

struct Cluster;
struct MendingView;

// Joints solved at once. Passes over joints one after the other carry a load by one joint a pass,
// and of a heavy body that hangs on light ones only the ratio of their masses: long chains and
// light links under heavy loads stretch, and what passes are not through with is speed that
// should not be. Where the joints of bodies that move make a tree, the common solution costs no
// more than a few passes. With the rows J of all joints, the impulses λ solve
//
//   (J·M⁻¹·Jᵀ + Σ)·λ = −e,    v += M⁻¹·Jᵀ·λ
//
// e is what velocities lack of what the phase asks (solver/joint_solver.h), Σ a trace of softness.
// The matrix is that of a tree, so that eliminating from the leaves makes nothing new (Baraff,
// "Linear-time dynamics using Lagrange multipliers", 1996). Here bodies are eliminated by their
// responses, as of articulated bodies (Featherstone, "Rigid body dynamics algorithms", 2008, §7):
// Λ, 6 × 6, is what an impulse on a body changes of its velocity with all that hangs on it. It
// begins as M⁻¹, and the joints from a body to each that hangs on it, and to the world, take from
// it:
//
//   S = J_c·Λ_c·J_cᵀ + Σ     of joints to the world: Σ alone
//   T = S + J_p·Λ_p·J_pᵀ
//   Λ_p ← Λ_p − Λ_p·J_pᵀ·T⁻¹·J_p·Λ_p
//
// with p the body towards the root. The speeds go the same way up, and the impulses come down:
//
//   up:    g = e + J_c·v_c,   v_p ← v_p − Λ_p·J_pᵀ·T⁻¹·(g + J_p·v_p)
//   down:  λ = −S⁻¹·(g + J_p·v_p),   v_c ← v_c + Λ_c·J_cᵀ·λ
//
// Only inverse masses are needed, which may be zero. All this is in doubles: between bodies of very
// different masses a difference is what is left of Λ.
//
// Each phase finds λ from nothing. A warm start would bring no closer what is solved exactly, and
// what the rows cannot tell apart would grow from substep to substep: a straight line between two
// posts has a pull that moves nothing, and errors of micrometres along it ask for ever more of it,
// until floats no longer hold the difference and planks fly off.
//
// What is no equation of the joint itself (limits, motors, springs, contacts) is solved by passes,
// in turns with the tree; passes leave the blocks of its joints alone. These are not soft: contacts
// are.
//
// What the hold phase foresees is how far each body will have turned: the very rotation that
// integration gives it, torque-free from the angular momentum that the impulses leave. That is not
// linear, and is found by solving again until anchors and axes will meet to 50 nm. So impulses act
// by the J of a substep's beginning such that positions hold at its end, where the relax phase
// makes velocities hold by the J that is there: RATTLE (Andersen 1983), symplectic, of second order
// and without drift of energy. Trees that carry little, which passes could solve, are solved so
// while a body of theirs turns fast and nothing but their joints acts on them.
//
// It converges while arms turn by little in a substep. Where a light body snaps through between
// heavy ones there may be no solution, and what is foreseen would throw it. Answering a alone
// brings the energy ½·aᵀ(J·M⁻¹·Jᵀ)⁻¹a on top of all other (the rest of the velocity is M-orthogonal
// to it); to the energy of the motion it is as the square of half the angle is to 1. Where it is
// more than for arms that turn by 0.28 it is believed less, and not at all from 0.57 on.

/// A joint of an edge.
struct TreePart {
  std::uint32_t bundle = 0, lane = 0, joint_class = 0;
  bool is_parent_a = false;
};

/// A direction that an edge holds, as the bodies stand now.
struct TreeRow {
  using Velocity = std::array<double, 6>;  // linear, angular
  struct Direction {
    math::Vec3 linear, angular;
  };

  std::uint32_t part = 0;                    // in JointTrees::parts, if the edge has but one
  Direction direction;                       // of forces and torques on b, or on the child
  Velocity of_parent, of_child;              // J
  Velocity parent_response, child_response;  // Λ·Jᵀ
  double softness = 0;                       // Σ
  double speed = 0, ahead = 0;               // e without what is foreseen, and that
};

/// A direction that one of several joints of an edge holds. Together they hold six at most: those
/// of the edge's rows q, of which each of theirs is the sum R·q. What their errors ask of q is
/// their least-squares fit, W = R·(Rᵀ·R)⁻¹, and of its impulse each takes its share by the same W.
/// So they share the load evenly, and what contradicts itself, as of two balls the line between
/// them, asks for nothing: solved for itself, each would pull against the other with all that
/// floats leave. In flat worlds the directions of a single joint can be as many too many: there an
/// edge's rows are those that can move one of its bodies.
struct TreeSource {
  std::uint32_t part = 0;         // in JointTrees::parts
  TreeRow::Direction direction;   // of forces and torques on b
  std::array<double, 6> weights;  // W, by row of the edge
  double speed = 0, ahead = 0;    // e, as of rows
};

/// The joints of a tree between the same two bodies that move, or of one to what cannot be moved.
/// Rows beyond row_count are not looked at.
struct TreeEdge {
  static constexpr std::uint32_t max_parts = 16;
  static constexpr std::size_t max_rows = 6;
  using Values = std::array<double, max_rows>;
  using Square = std::array<Values, max_rows>;

  std::uint32_t first_part = 0, last_part = 0;  // in JointTrees::parts
  std::uint32_t parent = 0, child = 0;  // solver indices; the child is 0 where it is the world
  std::uint32_t first_source = 0, source_count = 0;  // in JointTrees::sources, if it is shared
  std::size_t row_count = 0;
  std::array<TreeRow, max_rows> all_rows;
  Square child_root, edge_root;  // L of S = L·Lᵀ, and of T
  Values asked;                  // g

  state::Locks locks = 0;  // what neither of its bodies can do

  /// Whether what its joints hold are sources of its rows.
  bool is_shared() const { return last_part - first_part > 1 || locks != 0; }
  std::span<TreeRow> rows() { return {all_rows.data(), row_count}; }
  std::span<const TreeRow> rows() const { return {all_rows.data(), row_count}; }
};

/// Bodies and edges [first, last) of JointTrees, these from the leaves to the root.
struct JointTree {
  std::uint32_t first_edge = 0, last_edge = 0;
  std::uint32_t first_body = 0, last_body = 0;
  std::uint32_t anchor = 0;  // solver index of what it hangs on, if it is anchored
  bool is_anchored = false;
  bool has_others = false;   // limits, motors, springs or joints that passes solve
  std::uint32_t looked = 0;  // MendingView
  double believed = 1;       // the share of what is foreseen that is asked for
  bool is_settled = false;   // what is foreseen is not to be asked for again
  double failure = 0;        // of what is foreseen, when it was looked at last: m and rad
};

/// What is to be known of a tree that carries little.
struct LightTree {
  bool is_acted_on = false;  // by anything but its joints' equations
  bool turns = false;        // fast, or far within a substep
};

/// Scratch of one step.
struct JointTrees {
  static constexpr std::uint32_t no_link = 0xFFFFFFFFU;

  struct Link {
    std::uint32_t joint = 0;  // in JointArrays::coloured
    std::uint32_t next = no_link;
  };
  struct Grown {
    std::uint32_t parent = 0, child = 0;
    std::uint32_t first_joint = 0, last_joint = 0;  // in `joints`
  };
  using Response = std::array<TreeRow::Velocity, 6>;  // Λ

  std::vector<JointTree> trees;
  std::vector<TreeEdge> edges;
  std::vector<TreePart> parts;
  std::vector<TreeSource> sources;
  std::vector<std::uint32_t> bodies;       // solver indices
  std::vector<Response> responses;         // by solver index
  std::vector<TreeRow::Velocity> changes;  // likewise

  // Of finding them.
  std::vector<LightTree> lights;                 // by the solver index of their roots
  std::vector<std::uint32_t> roots, first_link;  // solver indices; by solver index
  std::vector<Link> links;
  std::vector<std::uint32_t> parents;  // beside bodies: the one before, or no_link
  std::vector<std::uint32_t> places;   // by solver index, in `bodies`, of those that are there
  std::vector<Grown> grown;            // from the root to the leaves
  std::vector<std::uint32_t> joints;   // of what is grown, in JointArrays::coloured

  std::span<TreeSource> sources_of(const TreeEdge& edge) {
    return {sources.data() + edge.first_source, edge.source_count};
  }
};

/// The trees of the cluster (solver/joint_forest.h). After colouring.
void find_joint_trees(Cluster& cluster);
/// Whether a body of the tree was moved after a time, mending.
bool was_moved(const Cluster& cluster, const JointTree& tree, std::uint32_t since);
/// After joints were measured; while they are mended, of trees of which a body was moved.
void factor_joint_trees(Cluster& cluster, const MendingView& mending);
/// What was not believed of the substep before may be now.
void begin_hold(JointTrees& trees);
/// After a pass, and before the first; the kernels `note_asked` have run. What has no rows is done
/// sooner.
void solve_joint_trees(Cluster& cluster, JointPhase phase, int pass);
/// Whether what the hold phase foresees of any without rows changes still.
bool has_unsettled(const JointTrees& trees);
/// A pass of solver/mend_joints.h, after the kernels `note_failure`.
void mend_joint_trees(Cluster& cluster, const MendingView& mending);

}  // namespace jostle::physics
