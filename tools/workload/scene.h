#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::workload {

/// What an engine is asked to simulate, as plain data: every engine that takes part in a comparison
/// is fed from the same description, and the checker reads its shapes from it. SI units, y up,
/// right-handed, all numbers float.

enum class ShapeKind : std::uint8_t { Sphere, Box, Capsule, Cylinder, Cone, Hull, Mesh, Plane };

/// Geometry in its own frame. Fields that a kind does not name are zero.
struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  float radius = 0;                // Sphere, Capsule, Cylinder; Cone: of its base
  float half_segment = 0;          // Capsule, Cylinder, Cone: half the axis, along y
  math::Vec3 half_extents;         // Box
  std::vector<math::Vec3> points;  // Hull, Mesh
  /// Mesh: triangles, counter-clockwise from outside. Hull: its faces, in the same way.
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Where a body's shape stands in the body's frame.
struct Placement {
  math::Vec3 offset;
  math::Quat rotation;
};

struct Part {
  std::uint32_t shape = 0;  // index into Scene::shapes
  Placement local;
};

enum class Motion : std::uint8_t { Static, Dynamic };

struct Body {
  Motion motion = Motion::Dynamic;
  math::Vec3 position;
  math::Quat rotation;
  math::Vec3 linear_velocity;
  math::Vec3 angular_velocity;
  std::vector<Part> parts;
  std::int32_t group = 0;  // bodies of the same negative group never touch
  float mass = 0;          // kg; 0: from the density
};

enum class JointKind : std::uint8_t {
  Ball,
  ConeTwist,
  Hinge,
  Slider,
  Fixed,
  Rod,  // keeps the distance that the origins of the two bodies' frames have at the start
};

/// Holds two bodies at one point, but for the rod. Given in the world at the start; each engine
/// derives its frames.
struct Joint {
  JointKind kind = JointKind::Ball;
  std::uint32_t body_a = 0, body_b = 0;
  math::Vec3 anchor{};
  math::Vec3 axis{0, 1, 0};  // unit; ConeTwist: of twist; Hinge: of rotation; Slider: of travel
  float cone = 0;            // ConeTwist: half angle that the axis may swing by, rad
  /// Both ways; ConeTwist: of twist, Hinge: of rotation, rad; Slider: of travel, m.
  float limit = 0;
};

/// What is done to the bodies before each step.
enum class Script : std::uint8_t {
  None,
  /// The last body is driven along a curve by central impulses.
  DrivenCube,
  /// Each hundredth body, from index 1, gets a velocity that turns, and is woken.
  TurningHundredth,
};

/// Where bodies belong, for the quality figures.
struct Arena {
  bool has_floor = true;     // a body whose centre is below y = 0 has fallen through
  float half_width = 0;      // a centre beyond it in x or z has left; 0: nothing is outside
  bool has_terrain = false;  // the first body's mesh is the floor instead of y = 0
};

struct Scene {
  std::string name;
  math::Vec3 gravity{0, -9.81f, 0};
  float step_seconds = 1.0f / 60.0f;
  float friction = 0.6f;  // of a pair
  float restitution = 0;
  float density = 1000;  // kg/m³
  bool may_sleep = false;
  bool jointed_bodies_collide = false;
  int warm_up_steps = 0;
  int timed_steps = 600;
  Script script = Script::None;
  Arena arena;
  std::vector<Shape> shapes;
  std::vector<Body> bodies;  // in the order of their creation
  std::vector<Joint> joints;
};

inline bool is_dynamic(const Body& body) {
  return body.motion == Motion::Dynamic;
}

}  // namespace jostle::workload
