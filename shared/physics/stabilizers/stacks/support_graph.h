#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/solver/incidence.h"
#include "shared/physics/stabilizers/stacks/support_rows.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Stacks in static equilibrium are solved directly: their loads are transferred to the ground at
// once.
//
// A pass over the contacts transfers impulses from one body to the next. A tower of a hundred
// bodies, or a block under a thousand times its mass, needs more passes than a frame has time for.
// Until the impulses converge, the tower sags and sways. But if bodies are in static equilibrium,
// their motion is known in advance: all of them move with the ground. Only the impulses are
// unknown, and these follow from statics. (Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies
// with stacking", 2003, solve levels of bodies from the ground upwards. They freeze each level, so
// that its load does not reach the bodies below. Here, all loads reach the ground.)
//
// A body is supported (a StandingBody) if it is slow and has a base: a contact with friction and at
// least three points, with a supported body or the ground. From the ground upwards, round by round,
// this gives a graph without cycles. The supports of each body are contacts with bodies of earlier
// rounds; at least one of these contacts is a base. A row k of a support is the normal impulse of a
// point, or one of the contact's friction impulses. A unit impulse of the row applies the force f
// and the moment m about the body's centre. J_k = (f, m/ℓ), with ℓ the body's size, has uniform
// units. The weights w_k follow from the current impulses of the rows. With
//
//   A = Σ w_k·J_k·J_kᵀ          6 × 6, symmetric; positive definite if a support is a base
//
// The load is the momentum that the supports of a body must provide (carry_loads). If the body
// should move with the ground at v*, the load is W = M·(v* − v), plus the reactions of the bodies
// above. Of all impulses of its supports that add up to W, those with the least Σ Δλ²/w are
//
//   Δλ_k = w_k·J_k·(A⁻¹·W)
//
// and their reactions are part of the load of the bodies below. Bodies are solved from the last to
// the first, and each of them reaches v* exactly. If a point would have to pull, or friction would
// leave Coulomb's cone, the row is set to its limit. The other rows are then solved for the rest of
// the load. If they cannot provide it, the body counts as unsupported in this step and is left to
// the passes. The bodies on it are solved again without it. If all points push and friction is
// within its cone, this is the exact solution of the contact problem, because no gap opens at a
// point with an impulse.
//
// A pile in which no body moves and no contact has a position error is skipped, so it costs no more
// than this check. A body that lands is left to the passes, which can distribute an impact, until
// it is slow. If masses differ so much that passes cannot stop the body, it may be faster and still
// count as supported.
//
// Bodies with joints are never supported, because their joints are not in the graph.
//
// Positions are corrected from the ground upwards (straighten). Contacts of supported bodies have
// no spring and do not sag, and their position errors are removed without velocity. Let s_k be the
// separation at the point k of a body. Let u_k be the displacement of this point along the normal,
// relative to the supporting body. Each body is moved so that u_k = −rate·s_k at all its points, in
// least squares. The matrix has the form of A.

/// A contact between two bodies, one of which may support the other, and the contact's position in
/// the bundles.
struct StandingContact {
  std::uint32_t a = 0, b = 0;  // solver indices
  std::uint32_t bundle = 0;
  std::uint8_t lane = 0, point_count = 0;
  bool is_off = false;        // true if a point near enough to bear load has a position error
  float depth = 0;            // depth of its deepest point, m
  std::uint32_t support = 0;  // index of its Support, or no_index if it is none
};

/// A contact through which the body `parent`, which is earlier in the list, supports `body`.
struct Support {
  std::uint32_t contact = 0;           // index in SupportGraph::contacts
  std::uint32_t body = 0, parent = 0;  // indices in SupportGraph::bodies
  math::Vec3 arm, parent_arm;  // vectors from the centres of mass to the centre of the contact, m
  // sum of the changes of its rows, N·s; the moment is divided by the size of `body`
  math::Vec3 row_force, row_moment;
  float grip = 0;  // coefficient of static friction; valid if StandingBody::has_factor is true
};

/// Impulse of a support on its `body` in this substep, N·s, and the moment of this impulse about
/// the centre of `parent`, N·m·s. `parent` receives the opposite impulse.
struct Reaction {
  math::Vec3 force, moment;
};

/// A body that others support in static equilibrium, or a root: the immovable body or a kinematic
/// body, which needs no supports.
struct StandingBody {
  std::uint32_t body = 0;             // solver index
  std::uint32_t first = 0, last = 0;  // range in SupportGraph::supports
  float size = 0;                     // size ℓ, m
  math::Vec3 linear, angular;         // target velocity v*
  bool is_barred = false;             // true if the body is left to the passes in this step
  bool is_cut = false;                // true if the body is left to the passes in this substep
  bool is_dirty = false;              // true if its load must still be computed
  bool is_asked = false;              // true if its load was computed in this substep
  bool is_loaded = false;             // true if it has impulse changes to apply
  bool has_factor = false;            // true if StandingDetail::factor is valid
};

/// The data of a StandingBody that is read less often.
struct StandingDetail {
  std::uint32_t root = 0;  // solver index of the immovable or kinematic body at the bottom
  float factor[21] = {};   // Cholesky factor of A
  math::Vec3 shift, turn;  // displacement by position correction, m and rad
};

/// Scratch data of a step.
struct SupportGraph {
  bool is_resting = true;  // true if no body needs to be solved
  std::vector<StandingContact> contacts;
  Incidence contacts_of;
  std::vector<StandingBody> bodies;  // a body comes after the bodies that support it
  std::vector<StandingDetail> details;
  std::vector<Support> supports;
  std::vector<SupportRows> rows;    // of each support
  std::vector<Reaction> reactions;  // of each support
  // supports_above[first_above[i]] to supports_above[first_above[i + 1] − 1] are the supports whose
  // parent is the body at place i, in the order of their contacts
  std::vector<std::uint32_t> first_above, supports_above;
  std::vector<std::uint32_t> place;  // indexed by solver index: index in `bodies`, or no_index
  // By solver index: round of the last visit; `never` for bodies that are not searched.
  std::vector<std::uint32_t> seen_round;
  std::vector<float> noise;  // indexed by solver index: speed error by rounding, m/s
  std::vector<std::uint32_t> candidates, planted;
  std::vector<std::uint32_t> open;  // bodies that the search has yet to visit
};

/// Finds the supported bodies, and their supports, from the impulses and separations of the step's
/// first pass. Searches only piles in which a body moves or a contact has a position error. All
/// other piles are at rest and need no solution.
void find_supports(Cluster& cluster);
/// Sets the velocities of supported bodies so that they move with the bodies that support them, and
/// adds the contact impulses that this takes.
void carry_loads(Cluster& cluster);
/// Moves supported bodies so that the separations of their contacts are corrected. Call it in the
/// last substep, after positions have moved.
void straighten(Cluster& cluster);

}  // namespace jostle::physics
