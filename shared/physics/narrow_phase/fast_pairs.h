#pragma once

#include "shared/math/transform.h"
#include "shared/physics/narrow_phase/sweep.h"
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

/// A pair that moves farther in a step than its smaller shape is thick, and where its bodies were
/// when the step began; or one, however slow, of a body half through a mesh or height field.
struct FastPair {
  std::uint32_t shape_a = 0, shape_b = 0;
  math::Pose start_a, start_b;  // position: of the centre of mass
  bool is_half_through = false;
  std::optional<float> passed_at;  // the share of the step after which they met and then passed
};

/// How a body will move in this step if nothing stops it: its velocity, half of what gravity adds,
/// or the way to its target.
Motion expected_motion(const WorldOptions& options, const Body& body);

/// What a shape must move within a step so that it could pass through others; without end for
/// planes, which have one normal and no other side: a margin does them justice at any speed.
float thickness_of(const state::Shape& shape);

/// How far the two surfaces can approach each other within a step.
float approach_reach(const ShapePlace& a, const ShapePlace& b);

/// Below this distance the two shapes of a fast pair have met.
float impact_distance(const ShapePlace& a, const ShapePlace& b);

/// The manifolds of a fast pair as they will be when the two meet, carried back to the start of the
/// step: the solver then lets them come exactly this close. Contacts that only a stretched margin
/// would see, on a course that misses, do not exist: where the two do not meet within the step
/// there is only what touches now.
/// `now` and `axis` as for find_manifolds.
void collide_fast(const WorldState& world, const FastPair& pair, const Placing& now,
                  math::Vec3 axis, SurfaceScratch& scratch, Contact& fresh);

/// The rotation vector that leads from one orientation to another.
math::Vec3 turn_between(math::Quat from, math::Quat to);

/// The moment of the first impact of a body on the triangles that it may meet on its way.
std::optional<Impact> first_impact_on_surface(const MovingShape& body, const MovingShape& surface,
                                              const state::Shape& surface_shape, float distance,
                                              SurfaceScratch& scratch);

}  // namespace jostle::physics
