#pragma once

#include "shared/math/transform.h"
#include "shared/physics/collision/sweep.h"
#include "shared/state/shape.h"

#include <cstdint>
#include <optional>

namespace jostle::physics {

struct Body;
struct Contact;
struct Placing;
struct ShapePlace;
struct SurfaceScratch;
struct WorldOptions;
struct WorldState;

/// A pair that needs continuous collision, and the poses of its bodies at the start of the step.
/// There are three cases:
///
/// - The two can approach in the step by more than the thickness (thickness_of) of the thinner
///   shape, and neither is a plane.
/// - A body overlaps a mesh or height field by more than a quarter of the body's thickness.
/// - The solver has moved a body farther than its velocity predicted (stop_at_impacts.h).
struct FastPair {
  static constexpr float not_known = -3.0e38f;

  std::uint32_t shape_a = 0, shape_b = 0;
  math::Pose start_a, start_b;  // the positions are those of the centres of mass
  // normal of the pair's contact or a separating axis, from a to b; zero if unknown
  math::Vec3 axis = {0, 0, 0};
  // lower bound of the separation along the axis at the start, m
  float separation = not_known;
  // True if the pair must be tested after the solver even if it has hardly moved
  // (stop_at_impacts.h).
  bool is_half_through = false;
  // true if the two touched at the start, by the points of their contact
  bool is_touching = false;
  // time of impact as a share of the step, if the two have passed through each other; else empty
  std::optional<float> passed_at = std::nullopt;
};

/// Returns the motion of a body in this step if no contact or joint acts on it: the displacement by
/// its velocity and by gravity, or the motion to its kinematic target. It is zero for a body that
/// is not active.
Motion expected_motion(const WorldOptions& options, const Body& body);

/// Returns half of the smallest extent of a shape (its radius if it is round), m. A shape that
/// moves less than this within a step cannot pass through another one. For planes, meshes and
/// height fields the result is `max_local_offset`, so that only the other shape's thickness counts.
/// Planes need no continuous collision: a plane has no far side, so a margin is enough at any
/// speed.
float thickness_of(const state::Shape& shape);

/// Returns an upper bound for how far two shapes can approach each other within a step, m.
float approach_reach(const ShapePlace& a, const ShapePlace& b);

/// Returns the separation, m, at which two shapes of a fast pair count as touching in the search
/// for their time of impact.
float impact_distance(const ShapePlace& a, const ShapePlace& b);

/// Computes the manifolds of a fast pair at its time of impact, and converts their separations to
/// the start of the step. The solver then lets the bodies approach until they touch, and no
/// further.
///
/// If the two shapes do not hit each other within the step, they get a contact only if they touch
/// now. A margin that grows with the speed would instead create contacts between bodies that will
/// miss each other. `now` and `axis` are as for find_manifolds. Also sets the pair's axis, its
/// separation and `is_touching`.
void collide_fast(const WorldState& world, const Placing& now, math::Vec3 axis,
                  SurfaceScratch& scratch, FastPair& pair, Contact& fresh);

/// Returns the rotation vector that leads from one orientation to another.
math::Vec3 turn_between(math::Quat from, math::Quat to);

/// Returns the first impact of a moving body on the triangles of a mesh or height field, or nothing
/// if the body hits none. An impact is a separation of `distance`, m.
std::optional<Impact> first_impact_on_surface(const MovingShape& body, const MovingShape& surface,
                                              const state::Shape& surface_shape, float distance,
                                              SurfaceScratch& scratch);

}  // namespace jostle::physics
