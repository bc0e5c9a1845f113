#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3.h"
#include "shared/state/kinematic_motion.h"
#include "shared/state/push.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::workload {

/// A scene to simulate, as plain data: every engine in a comparison is set up from this
/// description, and the checker reads its shapes from it. SI units, y up, right-handed, all numbers
/// float.
///
/// Benchmark scenes leave many fields at their defaults, and tools/rig reads only the fields that
/// they use. Scenes converted from scene files use all fields. jostle itself is then set up from
/// the scene file, in the same way as on the server (tools/bench/scene_file.h).

enum class ShapeKind : std::uint8_t { Sphere, Box, Capsule, Cylinder, Cone, Hull, Mesh, Plane };

/// The geometry of a shape in its own frame. A field whose comment does not list the shape's kind
/// is zero.
struct Shape {
  ShapeKind kind = ShapeKind::Sphere;
  float radius = 0;                // Sphere, Capsule, Cylinder; Cone: radius of the base
  float half_segment = 0;          // Capsule, Cylinder, Cone: half of the axis, along y
  math::Vec3 half_extents;         // Box
  std::vector<math::Vec3> points;  // Hull, Mesh
  /// Mesh: triangles, counter-clockwise from outside. Hull: its faces, with the same winding.
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The placement of a shape in the body's frame.
struct Placement {
  math::Vec3 offset;
  math::Quat rotation;
};

/// The material of a part.
struct Surface {
  float friction = 0.6f;
  float restitution = 0;
  float rolling_resistance = 0, spinning_resistance = 0;  // m
  float density = 1000;                                   // kg/m³
};

/// Collision filter of a part. Two parts may touch if each mask has a bit of the other's category.
/// Parts of the same negative group never touch; parts of the same positive group may always touch.
struct Filter {
  std::uint32_t category = 1, mask = 0xFFFFFFFFU;
  std::int32_t group = 0;

  bool operator==(const Filter&) const = default;
};

struct Part {
  std::uint32_t shape = 0;  // index into Scene::shapes
  Placement local;
  std::optional<Surface> surface{};  // surface of the shape; if empty, that of the scene
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
  /// Filter group of all parts, in place of Filter::group; 0: the groups of the parts apply. Bodies
  /// of the same negative group never touch.
  std::int32_t group = 0;
  float mass = 0;                                 // kg; 0: computed from the density
  float linear_damping = 0, angular_damping = 0;  // 1/s
  float gravity_scale = 1;
  bool is_sleep_allowed = true, is_awake = true, is_rotation_locked = false;
};

/// A prescribed motion of a kinematic body. Other kinematic bodies keep their initial velocities.
struct BodyKinematicMotion {
  std::uint32_t body = 0;
  math::Pose start;
  state::KinematicMotion kinematic_motion;
};

enum class JointKind : std::uint8_t {
  Ball,
  ConeTwist,  // a ball joint with a cone, limits of its twist, or both
  Hinge,
  Slider,
  Fixed,
  Distance,  // distance between `anchor` on a and `anchor_b` on b
};

struct Limits {
  float lower = 0, upper = 0;
};

/// A spring towards `rest`, for the motion along or about the axis, or for the distance.
struct Spring {
  float hertz = 0;  // natural frequency with the attached bodies, undamped
  float damping_ratio = 0;
};

struct Motor {
  float speed = 0;      // rad/s, m/s
  float max_force = 0;  // N·m, N
};

/// A joint between two bodies, at a common point except for Distance. The joint's values are in
/// world coordinates at the start; each engine derives the joint's frames from them.
struct Joint {
  JointKind kind = JointKind::Ball;
  std::uint32_t body_a = 0, body_b = 0;
  math::Vec3 anchor{}, anchor_b{};  // m; `anchor_b`: Distance only
  /// Unit vector. ConeTwist: twist axis; Hinge: rotation axis; Slider: direction of travel.
  math::Vec3 axis{0, 1, 0};
  std::optional<float> cone{};  // ConeTwist: maximum angle of the axis, rad
  /// ConeTwist: twist, Hinge: rotation, rad; Slider: travel, Distance: distance, m.
  std::optional<Limits> limits{};
  std::optional<Spring> spring{};  // Hinge, Slider, Distance
  std::optional<Motor> motor{};    // Hinge, Slider, Distance
  /// Rest value in rad or m; null: the value at the start. A distance joint without limits, spring
  /// and motor keeps it exactly.
  std::optional<float> rest{};
  bool do_bodies_collide = false;
  float break_force = 0, break_torque = 0;  // N, N·m; 0: unbreakable
};

/// The region in which bodies belong, for the quality figures.
struct QualityBounds {
  bool has_floor = true;     // a body whose origin is below y = 0 has fallen through the floor
  float half_width = 0;      // a body whose origin is beyond it in x or z is outside; 0: no limit
  bool has_terrain = false;  // the first body's mesh is the floor instead of y = 0
};

/// World settings of a scene file. Benchmark scenes leave them to the engines.
struct WorldSettings {
  float sleep_linear_speed = 0, sleep_angular_speed = 0;  // m/s, rad/s
  float sleep_seconds = 0;
  float restitution_threshold = 0;  // m/s
};

struct Scene {
  std::string name;
  math::Vec3 gravity{0, -9.81f, 0};
  float step_seconds = 1.0f / 60.0f;
  float friction = 0.6f;  // friction of a pair of bodies
  float restitution = 0;
  float density = 1000;  // kg/m³
  bool may_sleep = false;
  std::optional<WorldSettings> world;
  int warm_up_steps = 0;
  int timed_steps = 600;
  QualityBounds arena;
  std::vector<Shape> shapes;
  std::vector<Body> bodies;  // bodies in the order of creation
  std::vector<Joint> joints;
  // Motions and forces that the scene applies to its bodies.
  std::vector<BodyKinematicMotion> kinematic_motions;
  std::vector<state::Push> pushes;
  /// True if the scene file has force fields, which other engines do not get.
  bool has_force_fields = false;
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
