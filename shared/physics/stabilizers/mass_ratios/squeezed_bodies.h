#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/colour_block.h"
#include "shared/physics/solver/incidence.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Mass-ratio conditioning. A light body under a heavy one must transmit the heavy body's momentum;
// the motion of the light body hardly matters. If r is the ratio of their masses, a pass over the
// contacts transmits the share 1/r. At 1,000 : 1 the heavy body sinks into the floor before the
// light one has responded. When the heavy body moves away, the impulses that stopped it throw the
// light one. The stack solver (support_graph.h) transfers the loads of resting bodies directly, but
// it does not reduce impulses after an impact. The mass m and the inertia I of the light body are
// therefore increased while the heavy body, of mass M, squeezes it:
//
//   m ← M / squeezed_ratio,   I ← I · M / (squeezed_ratio · m)
//
// A pass then transmits 1/squeezed_ratio. (Shock propagation is an alternative, in which the lower
// body counts as immovable: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking",
// 2003.) Weight and velocity of the light body do not change, so that the impulses under resting
// bodies stay correct. The light body only accelerates more slowly. With the larger mass, its
// kinetic energy is too large. The increase is therefore limited for fast bodies, so that this
// energy is a small share of the heavy body's.
//
// The level of a body is the length of the shortest path of upward contacts that leads to it from a
// body that is not dynamic. A heavy body squeezes a far lighter one against a third body of a lower
// level than the light one. The light body must touch the two on opposite sides, or be about to do
// so within the step. The squeezed body with its increased mass squeezes the bodies below it in
// turn. A joint also squeezes, in any direction, but only if one of its bodies overlaps another
// body deeply and is about to be pushed through it. Other joints, such as those of a car's wheels,
// bear their load without help.

/// Two bodies that touch, or will touch within the step, or that a joint connects.
struct SqueezeLink {
  std::uint32_t a = 0, b = 0;  // solver indices
  math::Vec3 normal;           // unit normal from a to b; zero for a joint
};

/// Properties of a contact that decide whether it becomes a SqueezeLink. `is_meeting` is true if a
/// point touches or will touch within the step, `is_deep` if a point overlaps by more than
/// squeezed_depth.
struct Meeting {
  math::Vec3 normal;
  bool is_meeting = false, is_deep = false;
};

/// A body whose mass and inertia are multiplied by `factor`.
struct WeighedBody {
  std::uint32_t body = 0;  // solver index
  float factor = 1;
};

/// Scratch data of a step.
struct SqueezedBodies {
  std::vector<Meeting> meetings;  // one entry for each contact of the current batch
  std::vector<SqueezeLink> links;
  Incidence links_of;
  // indexed by solver index; no_index if the search found no level
  std::vector<std::uint32_t> level;
  std::vector<float> mass;  // by solver index: increased or true mass, kg
  // indexed by solver index: true if the body overlaps another by more than squeezed_depth
  std::vector<bool> is_deep;
  std::vector<std::uint32_t> open;  // bodies that the search has yet to visit
  std::vector<WeighedBody> weighed;
  // By solver index: factors of weighed bodies, else 1; empty if there are none.
  std::vector<float> factors;
  // By solver index: true if a heavy body may overlap this squeezed one by squeezed_depth after one
  // substep, or if such a body squeezes this one in turn.
  std::vector<bool> is_struck;
  std::vector<std::uint32_t> struck;  // the bodies with is_struck
  // Used by relax_squeezed_bodies: the bundles with contacts of struck bodies.
  std::vector<ColourBlock> bundles;
  std::vector<math::Vec3> speeds;  // parallel to `struck`: linear velocities before a pass
};

/// Returns the factor, 1 or more, by which mass and inertia of the body are multiplied in this
/// step.
inline float weight_factor(const SqueezedBodies& squeezed, std::uint32_t body) {
  return squeezed.factors.empty() ? 1.0f : squeezed.factors[body];
}

/// Returns true if the masses of two movable bodies differ so much that one could squeeze the
/// other.
inline bool are_uneven(float inverse_mass_a, float inverse_mass_b) {
  return inverse_mass_a > 0.0f && inverse_mass_b > 0.0f &&
         (inverse_mass_a > uneven_ratio * inverse_mass_b ||
          inverse_mass_b > uneven_ratio * inverse_mass_a);
}

/// Increases mass and inertia of squeezed bodies. Call it after contacts are coloured, before they
/// are prepared.
void weigh_squeezed_bodies(Cluster& cluster);
/// In an impact, repeats the relax pass over the contacts of the struck bodies until their
/// velocities hardly change. The biased solve pushes bodies apart that overlap deeply, and one
/// relax pass leaves a part of that speed, so that a heavy body would rebound. Call it after the
/// relax pass.
void relax_squeezed_bodies(Cluster& cluster);
/// Restores the true inertias and angular momenta. Call it before they are copied to the bodies.
void unweigh_squeezed_bodies(Cluster& cluster);

}  // namespace jostle::physics
