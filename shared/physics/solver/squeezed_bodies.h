#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/solver/incidence.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// A light body under a heavy one is a strut: what it does by itself hardly matters, but the heavy
// one's momentum has to get through it. Of the ratio r of their masses, a pass over the contacts
// brings the share 1/r; at 1,000 : 1 the heavy body is in the floor before the light one has felt
// it. Where the light body has a base its load goes to the ground at once (support_graph.h). Where
// it has none, a cone on its side, a ball, or where the heavy one is still falling, it counts as
// more inert than it is for as long as it is squeezed by M:
//
//   m ← M / squeezed_ratio,   I ← I · M / (squeezed_ratio · m)
//
// and a pass brings 1/squeezed_ratio. (The other side of shock propagation, in which the lower body
// counts as immovable: Guendelman, Bridson and Fedkiw, "Nonconvex rigid bodies with stacking",
// 2003.) Its weight and velocity stay, so that what rests bears what it should; it only gets away
// more slowly. What it carries on velocity as it counts is energy that is not there: a fast one
// counts as little as keeps that to a small share of the heavy one's.
//
// The level of a body says over how many contacts, upward, it leans on something immovable. A body
// is squeezed by one far heavier against one of a lower level, if it touches both, or will within
// the step, on opposite sides. Its new mass squeezes what is below it in turn. A joint squeezes
// too, whichever way, but only what is being lost, with points that overlap deep: wheels and feet
// bear a car and a man without it.

/// Two bodies that touch, or will within the step; or that a joint joins.
struct SqueezeLink {
  std::uint32_t a = 0, b = 0;  // solver indices
  math::Vec3 normal;           // from a to b; of a joint: none
};

/// What is seen of a contact before it becomes a link, if its bodies meet.
struct Meeting {
  math::Vec3 normal;
  bool is_meeting = false, is_held = false, is_deep = false;
};

/// A body that counts as `factor` times as heavy as it is.
struct WeighedBody {
  std::uint32_t body = 0;  // solver index
  float factor = 1;
};

/// Scratch of a step.
struct SqueezedBodies {
  std::vector<Meeting> meetings;  // of some contacts
  std::vector<SqueezeLink> links;
  Incidence links_of;
  std::vector<std::uint32_t> level;  // by solver index; no_index: leans on nothing
  std::vector<float> mass;           // kg, by solver index, as it counts
  std::vector<bool> is_held;         // by solver index: stood in the step before
  std::vector<bool> is_deep;         // by solver index: overlaps by more than squeezed_depth
  std::vector<std::uint32_t> open;   // bodies to be visited
  std::vector<WeighedBody> weighed;
  std::vector<float> factors;  // of the weighed, by solver index, else 1; empty where nobody is
};

/// As how many times as heavy as it is the body counts in this step.
inline float weight_factor(const SqueezedBodies& squeezed, std::uint32_t body) {
  return squeezed.factors.empty() ? 1.0f : squeezed.factors[body];
}

/// After contacts are listed, and before anything is prepared for them.
void weigh_squeezed_bodies(Cluster& cluster);
/// Gives momenta their true masses back, before the bodies take them over.
void unweigh_squeezed_bodies(Cluster& cluster);

}  // namespace jostle::physics
