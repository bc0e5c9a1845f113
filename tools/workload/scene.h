#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"
#include "shared/state/course.h"
#include "shared/state/push.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::workload {

/// What an engine is asked to simulate, as plain data: every engine that takes part in a comparison
/// is fed from the same description, and the checker reads its shapes from it. SI units, y up,
/// right-handed, all numbers float.
///
/// Benchmark scenes leave much of it at its default, and tools/rig reads no more than they use.
/// Scene files use all of it; our own engine is set up from the file itself
/// (tools/bench/scene_file.h), in the very way in which the server does it.

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

/// How a part's surface and stuff behave.
struct Surface {
  float friction = 0.6f;
  float restitution = 0;
  float rolling_resistance = 0, spinning_resistance = 0;  // m
  float density = 1000;                                   // kg/m³
};

/// Which parts may touch: both masks hold a bit of the other's category; a shared negative group
/// never touches, a shared positive one always.
struct Filter {
  std::uint32_t category = 1, mask = 0xFFFFFFFFU;
  std::int32_t group = 0;

  bool operator==(const Filter&) const = default;
};

struct Part {
  std::uint32_t shape = 0;  // index into Scene::shapes
  Placement local;
  std::optional<Surface> surface{};  // nothing: the scene's
  Filter filter{};
};

enum class Motion : std::uint8_t { Static, Kinematic, Dynamic };

struct Body {
  Motion motion = Motion::Dynamic;
  math::Vec3 position;
  math::Quat rotation;
  math::Vec3 linear_velocity;
  math::Vec3 angular_velocity;
  std::vector<Part> parts;
  std::int32_t group = 0;  // of all parts, over their own: the same negative one never touches
  float mass = 0;          // kg; 0: from the density
  float linear_damping = 0, angular_damping = 0;  // 1/s
  float gravity_scale = 1;
  bool is_sleep_allowed = true, is_awake = true, is_rotation_locked = false;
};

/// A kinematic body that does not simply keep the velocities that it starts with.
struct BodyCourse {
  std::uint32_t body = 0;
  math::Pose start;
  state::Course course;
};

enum class JointKind : std::uint8_t {
  Ball,
  ConeTwist,  // a ball with a cone, limits of its twist, or both
  Hinge,
  Slider,
  Fixed,
  Distance,  // between `anchor` on a and `anchor_b` on b
};

struct Limits {
  float lower = 0, upper = 0;
};

/// Towards `rest`, of what moves along or about the axis, or of the distance.
struct Spring {
  float hertz = 0;  // of the bodies that hang on it, undamped
  float damping_ratio = 0;
};

struct Motor {
  float speed = 0;      // rad/s, m/s
  float max_force = 0;  // N·m, N
};

/// Holds two bodies at one point, but for the distance. Given in the world at the start; each
/// engine derives its frames.
struct Joint {
  JointKind kind = JointKind::Ball;
  std::uint32_t body_a = 0, body_b = 0;
  math::Vec3 anchor{}, anchor_b{};  // m; `anchor_b`: Distance
  math::Vec3 axis{0, 1, 0};     // unit; ConeTwist: of twist; Hinge: of rotation; Slider: of travel
  std::optional<float> cone{};  // ConeTwist: half angle that the axis may swing by, rad
  /// ConeTwist: of twist, Hinge: of rotation, rad; Slider: of travel, Distance: of it, m.
  std::optional<Limits> limits{};
  std::optional<Spring> spring{};  // Hinge, Slider, Distance
  std::optional<Motor> motor{};    // Hinge, Slider, Distance
  /// rad, m. A distance joint without limits, spring and motor keeps it; nothing: as it stands.
  std::optional<float> rest{};
  bool do_bodies_collide = false;
  float break_force = 0, break_torque = 0;  // N, N·m; 0: never
};

/// Where bodies belong, for the quality figures.
struct Arena {
  bool has_floor = true;     // a body whose centre is below y = 0 has fallen through
  float half_width = 0;      // a centre beyond it in x or z has left; 0: nothing is outside
  bool has_terrain = false;  // the first body's mesh is the floor instead of y = 0
};

/// What a scene file says of its world; benchmark scenes leave it to the engines.
struct WorldSettings {
  float sleep_linear_speed = 0, sleep_angular_speed = 0;  // m/s, rad/s
  float sleep_seconds = 0;
  float restitution_threshold = 0;  // m/s
};

struct Scene {
  std::string name;
  math::Vec3 gravity{0, -9.81f, 0};
  float step_seconds = 1.0f / 60.0f;
  float friction = 0.6f;  // of a pair
  float restitution = 0;
  float density = 1000;  // kg/m³
  bool may_sleep = false;
  std::optional<WorldSettings> world;
  int warm_up_steps = 0;
  int timed_steps = 600;
  Arena arena;
  std::vector<Shape> shapes;
  std::vector<Body> bodies;  // in the order of their creation
  std::vector<Joint> joints;
  // What the scene does to its bodies by itself.
  std::vector<BodyCourse> courses;
  std::vector<state::Push> pushes;
};

inline bool is_dynamic(const Body& body) {
  return body.motion == Motion::Dynamic;
}
inline Surface surface_of(const Scene& scene, const Part& part) {
  return part.surface.value_or(Surface{scene.friction, scene.restitution, 0, 0, scene.density});
}
inline Filter filter_of(const Body& body, const Part& part) {
  return {part.filter.category, part.filter.mask, body.group != 0 ? body.group : part.filter.group};
}

}  // namespace jostle::workload
