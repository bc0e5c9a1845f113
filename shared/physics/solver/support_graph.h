#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/solver/incidence.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// What stands, stands still: loads go to the ground at once.
//
// A pass over the contacts moves impulses from one body to the next. A tower of a hundred, or a
// block under a thousand times its mass, needs more passes than any frame has, and until the
// impulses are right it sags and sways. But where bodies stand, the answer is known beforehand:
// every one of them moves with the ground. What is not known are the impulses, and these follow
// from statics. (Levels of bodies above the ground that are settled from below: Guendelman, Bridson
// and Fedkiw, "Nonconvex rigid bodies with stacking", 2003. There bodies are frozen one after the
// other, and what lies below does not feel the load. Here all momentum arrives in the ground.)
//
// A body stands if it has a base on a body that stands: three points of one contact, with friction.
// From the ground upwards, round by round, this makes a graph without cycles: each body on its
// supports of earlier rounds, of which one at least is a base. A row k of a support, a point's
// normal impulse or one of the contact's friction, gives per unit the force f and, about the body's
// centre, the moment m; J_k = (f, m/ℓ), with ℓ the body's size, has one unit. With weights w_k, for
// what the row bears already,
//
//   A = Σ w_k·J_k·J_kᵀ          6 × 6, symmetric; positive definite on a base
//
// Loads go down (carry_loads). A body that shall move with the ground by v* lacks the momentum
// W = M·(v* − v), and what the bodies above take from it. Of all impulses of its supports that add
// up to W, those with the least Σ Δλ²/w are
//
//   Δλ_k = w_k·J_k·(A⁻¹·W)
//
// and their reactions are the load of the bodies below. The last bodies come first, and all of them
// have v* exactly. Where a point would have to pull or friction to leave Coulomb's cone, the row
// goes as far as it can and the others are asked for the rest. If they cannot bring it, the body
// does not stand in this step, and is left to the passes; what stands on it is asked whether it can
// without. If all points push and friction holds, this is the solution of the contact problem, not
// an approximation: no gap opens where there is impulse.
//
// Heaps in which nothing moves and every contact lies as it should are left alone: what has come to
// rest costs no more than to see that. A body that lands is for the passes, which know how to
// divide a blow, until it is slow, or where masses differ so much that they cannot stop it.
//
// Bodies with joints do not stand either: their joints are not in the graph.
//
// Positions go up (straighten). Contacts that hold are no springs: they sag by nothing, and what
// they lie wrong by is taken back without velocity. From the ground upwards, each body is moved so
// that its points come closer to touching, u_k = −rate·s_k beyond what its supports move, in least
// squares, which is the same A.

/// A contact between bodies that may stand on each other, and where the solver has it.
struct StandingContact {
  std::uint32_t a = 0, b = 0;  // solver indices
  std::uint32_t bundle = 0;
  std::uint8_t lane = 0, point_count = 0;
  bool is_off = false;        // points that bear do not lie as they should
  float depth = 0;            // m, of its deepest point
  std::uint32_t support = 0;  // that it is; no_index
};

/// A row: what a unit of one impulse does to the body on top.
struct SupportRow {
  math::Vec3 force;
  math::Vec3 moment;  // about the body's centre, by its size
  float weight = 0;
  float change = 0;  // of the impulse, in this substep
};

/// A contact through which a body stands on an earlier one.
struct Support {
  std::uint32_t contact = 0;           // in SupportGraph::contacts
  std::uint32_t body = 0, parent = 0;  // in SupportGraph::bodies
  std::uint32_t first_row = 0;
  math::Vec3 arm, parent_arm;  // m, from the centres of mass to that of the contact
  math::Vec3 force, moment;    // N·s, N·m·s: what the parent loses, about its centre
};

/// A body that stands, or, without supports, what bodies stand on.
struct StandingBody {
  std::uint32_t body = 0;             // solver index
  std::uint32_t first = 0, last = 0;  // supports
  float size = 0;                     // ℓ, m
  math::Vec3 linear, angular;         // v*
  bool is_barred = false;             // does not stand in this step
  bool is_cut = false;                // does not stand in this substep
  bool is_dirty = false;              // to be asked what it bears
  bool is_asked = false;              // has been, in this substep
  bool is_loaded = false;             // has changes
  bool has_factor = false;
};

/// What is looked at where something changes only. Beside StandingBody.
struct StandingDetail {
  std::uint32_t root = 0;  // solver index of what it stands on in the end
  float factor[21] = {};   // of A
  math::Vec3 shift, turn;  // m, rad: what straighten moves it by
};

/// Scratch of a step.
struct SupportGraph {
  bool is_resting = true;  // nobody is to be looked at
  std::vector<StandingContact> contacts;
  Incidence contacts_of;
  std::vector<StandingBody> bodies;  // what stands later comes later
  std::vector<StandingDetail> details;
  std::vector<Support> supports;
  std::vector<SupportRow> rows;
  std::vector<std::uint32_t> place;       // by solver index: in bodies; no_index
  std::vector<std::uint32_t> seen_round;  // by solver index; never, for those left alone
  std::vector<float> noise;               // m/s, by solver index: what rounding leaves
  std::vector<std::uint32_t> candidates, planted;
  std::vector<std::uint32_t> open;  // bodies to be visited
  std::vector<bool> is_dropped;     // rows, of one body
};

/// Who stands on whom, by the impulses and separations of the step's first pass: in all heaps with
/// a body that moves, or a contact that is off. The others rest, and nothing is done to them.
void find_supports(Cluster& cluster);
/// Gives what stands the velocity of what it stands on, and the contacts the impulses for it.
void carry_loads(Cluster& cluster);
/// Moves what stands so that its contacts touch as they should. After positions have moved.
void straighten(Cluster& cluster);

}  // namespace jostle::physics
