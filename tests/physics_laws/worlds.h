#pragma once

#include "tests/physics/scenes.h"
#include "tests/physics_laws/law.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics::laws {

using namespace jostle::physics::testing;

inline constexpr double g = 9.81;  // m/s²
inline constexpr double pi = 3.14159265358979323846;
inline constexpr double step = 1 / 60.0;  // s
inline constexpr double degree = pi / 180;

/// Returns the options of the laws' worlds: the defaults, with the stabilizers in use (law.h).
inline WorldOptions default_options() {
  WorldOptions options;
  options.stabilizers = stabilizers_in_use();
  return options;
}
inline WorldOptions without_sleep() {
  WorldOptions options = default_options();
  options.is_sleeping_enabled = false;
  return options;
}
inline WorldOptions without_gravity() {
  WorldOptions options = without_sleep();
  options.gravity = {};
  return options;
}
/// Returns the options with restitution at any approach speed.
inline WorldOptions elastic(WorldOptions options) {
  options.restitution_threshold = 0;
  return options;
}

/// Returns the gravity in the frame of a slope whose surface is the plane y = 0. The slope is
/// inclined by `tilt` and descends towards `heading`, an angle from +x towards +z. Both are in rad.
inline Vec3 gravity_of_slope(double tilt, double heading = 0) {
  return math::to_vec3({g * std::sin(tilt) * std::cos(heading), -g * std::cos(tilt),
                        g * std::sin(tilt) * std::sin(heading)});
}

inline ShapeDef with(const state::Shape& shape, const Material& material) {
  ShapeDef def = shape_def(shape);
  def.material = material;
  return def;
}
inline math::Quat lying_along_z() {
  const float half = std::sqrt(0.5f);
  return {half, 0, 0, half};
}

inline double size_of(Position p) {
  return std::hypot(p.x, p.y, p.z);
}
inline double distance(Position a, Position b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

inline double relative(double is, double should) {
  return std::abs(is / should - 1);
}

}  // namespace jostle::physics::laws
