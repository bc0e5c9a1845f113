#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/handles.h"

#include <array>

namespace jostle::physics {

/// Two shapes began to touch. `a` is the smaller handle.
struct ContactBegin {
  ShapeHandle a, b;
  bool operator==(const ContactBegin&) const = default;
};

/// Two shapes ceased to touch; one of them may be gone.
struct ContactEnd {
  ShapeHandle a, b;
  bool operator==(const ContactEnd&) const = default;
};

/// Two shapes met faster than the world's restitution threshold.
struct ContactHit {
  ShapeHandle a, b;
  math::Position point;
  math::Vec3 normal;         // from a to b
  float approach_speed = 0;  // m/s
  bool operator==(const ContactHit&) const = default;
};

/// A shape began to overlap a sensor. Both may happen in one step: what is fast goes through.
struct SensorBegin {
  ShapeHandle sensor, visitor;
  bool operator==(const SensorBegin&) const = default;
};

/// It overlaps it no more; either may be gone.
struct SensorEnd {
  ShapeHandle sensor, visitor;
  bool operator==(const SensorEnd&) const = default;
};

struct SleepChange {
  BodyHandle body;
  bool is_awake = false;
  bool operator==(const SleepChange&) const = default;
};

inline constexpr int max_manifold_points = 4;
/// Of a pair with a mesh or a height field; all others have one. Large boxes and hulls on rough
/// ground were seen to bear on seven directions at most. A body that bears on more than are kept
/// would sink where one was left out until another is left out instead, and so never come to rest.
inline constexpr int max_manifolds = 8;

struct ContactPointView {
  math::Position position;
  float separation = 0;      // m, negative when overlapping
  float normal_impulse = 0;  // N·s, of the last step
};

/// A contact as callers and debug drawing see it.
struct ContactView {
  ShapeHandle a, b;
  math::Vec3 normal;  // from a to b
  int point_count = 0;
  std::array<ContactPointView, max_manifold_points> points;
};

}  // namespace jostle::physics
