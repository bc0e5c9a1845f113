#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/solver/incidence.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Mass-ratio conditioning. A light body under a heavy one must transmit the heavy body's momentum;
// the motion of the light body hardly matters. If r is the ratio of their masses, a pass over the
// contacts transmits the share 1/r. At 1,000 : 1 the heavy body is in the floor before the light
// one has responded. Once the heavy body leaves again, the impulses that stopped it throw the light
// one. The stack solver (support_graph.h) transfers the loads of resting bodies directly, but it
// takes no impulses back. The mass m and the inertia I of the light body are therefore increased
// while the heavy body, of mass M, squeezes it:
//
//   m ← M / squeezed_ratio,   I ← I · M / (squeezed_ratio · m)
//
// A pass then transmits 1/squeezed_ratio. (Shock propagation is the opposite approach: there the
// lower body counts as immovable. Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with
// stacking", 2003.) Weight and velocity of the light body do not change, so that the impulses under
// resting bodies stay correct; the light body only accelerates more slowly. With the larger mass, a
// moving light body has more energy than the real one. The factor of a fast body is therefore
// limited, so that the light body's energy is a small share of the heavy body's.
//
// The level of a body is the smallest number of contacts, upward, between it and a body that is not
// dynamic. A heavy body squeezes a far lighter one against a third body, if the light body touches
// the two on opposite sides, or will do so within the step, and the third body's level is lower
// than the light body's. The squeezed body with its increased mass squeezes the bodies below it in
// turn. A joint also squeezes, in any direction, but only if one of its bodies overlaps something
// deeply, because that body is about to be pushed through. Other joints do not need this: for
// example, wheels carry a car without it.

/// Two bodies that touch, or will touch within the step, or that a joint connects.
struct SqueezeLink {
  std::uint32_t a = 0, b = 0;  // solver indices
  math::Vec3 normal;           // unit normal from a to b; zero for a joint
};

/// State of a contact that decides whether it becomes a link.
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
  std::vector<float> mass;  // mass that the body counts as, by solver index, kg
  // indexed by solver index: true if the body overlaps another by more than squeezed_depth
  std::vector<bool> is_deep;
  std::vector<std::uint32_t> open;  // bodies that the search has yet to visit
  std::vector<WeighedBody> weighed;
  // By solver index: factors of weighed bodies, else 1; empty if there are none.
  std::vector<float> factors;
};

/// Returns the factor, 1 or more, by which mass and inertia of the body are multiplied in this
/// step.
inline float weight_factor(const SqueezedBodies& squeezed, std::uint32_t body) {
  return squeezed.factors.empty() ? 1.0f : squeezed.factors[body];
}

/// Increases mass and inertia of squeezed bodies. Call it after contacts are coloured, before they
/// are prepared.
void weigh_squeezed_bodies(Cluster& cluster);
/// Restores the true inertias and angular momenta. Call it before they are copied to the bodies.
void unweigh_squeezed_bodies(Cluster& cluster);

}  // namespace jostle::physics
