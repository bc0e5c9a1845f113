#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/handles.h"

#include <array>

namespace jostle::physics {

/// Event: two shapes began to touch. `a` is the handle that compares less.
struct ContactBegin {
  ShapeHandle a, b;
  bool operator==(const ContactBegin&) const = default;
};

/// Event: two shapes stopped touching. Either may no longer exist.
struct ContactEnd {
  ShapeHandle a, b;
  bool operator==(const ContactEnd&) const = default;
};

/// Event: two shapes collided faster than the world's restitution threshold. A manifold reports at
/// most one hit per step, and only at points that had no impulse in the previous step.
struct ContactHit {
  ShapeHandle a, b;
  math::Position point;
  math::Vec3 normal;         // unit normal from a to b
  float approach_speed = 0;  // m/s
  bool operator==(const ContactHit&) const = default;
};

/// Event: a shape began to overlap a sensor. A fast shape may cause both a begin and an end in one
/// step.
struct SensorBegin {
  ShapeHandle sensor, visitor;
  bool operator==(const SensorBegin&) const = default;
};

/// Event: a shape stopped overlapping a sensor. Either may no longer exist.
struct SensorEnd {
  ShapeHandle sensor, visitor;
  bool operator==(const SensorEnd&) const = default;
};

/// Event: a body fell asleep or woke up.
struct SleepChange {
  BodyHandle body;
  bool is_awake = false;
  bool operator==(const SleepChange&) const = default;
};

inline constexpr int max_manifold_points = 4;
/// Maximum number of manifolds of a contact with a mesh or a height field; other contacts have one.
/// A fast ball has one for each facet that it runs onto within the step.
inline constexpr int max_manifolds = 32;
/// Maximum number of these manifolds that support a body. In tests, large boxes and hulls on rough
/// ground were supported in at most seven directions. If a direction had no manifold, the body
/// would sink along it. In the next steps another direction would then lack its manifold, and the
/// body would never come to rest.
inline constexpr int max_supporting_manifolds = 8;

struct ContactPointView {
  math::Position position;
  float separation = 0;      // m, negative if overlapping
  float normal_impulse = 0;  // impulse of the last step, N·s
};

/// A contact as shown to callers and debug drawing.
struct ContactView {
  ShapeHandle a, b;
  math::Vec3 normal;  // unit normal from a to b
  int point_count = 0;
  std::array<ContactPointView, max_manifold_points> points;
};

}  // namespace jostle::physics
