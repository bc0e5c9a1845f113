#pragma once

#include "shared/base/boxed.h"
#include "shared/base/result.h"
#include "shared/forces/explosion.h"
#include "shared/forces/force_field.h"
#include "shared/forces/integrators.h"
#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/scene/car.h"
#include "shared/state/course.h"
#include "shared/state/locks.h"
#include "shared/state/push.h"
#include "shared/state/readout.h"
#include "shared/state/shape.h"
#include "shared/state/world_def.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::scene {

/// How the values of two sides become that of their contact; physics::CombineRule says the same.
enum class CombineRule : std::uint8_t { GeometricMean, Average, Minimum, Multiply, Maximum };

/// How a surface behaves; physics::Material says more.
struct SceneMaterial {
  float friction = 0.6f;
  float restitution = 0.0f;
  float rolling_resistance = 0.0f;   // m, the arm of the normal force against rolling
  float spinning_resistance = 0.0f;  // m, likewise against spinning on the spot
  float static_friction = 0.0f;      // 0: as friction
  CombineRule friction_rule = CombineRule::GeometricMean;
  CombineRule restitution_rule = CombineRule::Maximum;
  std::uint32_t id = 0;  // in SceneDef::material_pairs; 0: in none

  bool operator==(const SceneMaterial&) const = default;
};

/// What contacts of two materials go by, in place of what would follow from the two.
struct SceneMaterialPair {
  std::uint32_t a = 0, b = 0;  // SceneMaterial::id
  std::optional<float> friction, static_friction, restitution;
  std::optional<float> rolling_resistance, spinning_resistance;

  bool operator==(const SceneMaterialPair&) const = default;
};

struct SceneFilter {
  std::uint32_t category = 1;
  std::uint32_t mask = 0xFFFFFFFFU;
  std::int32_t group = 0;

  bool operator==(const SceneFilter&) const = default;
};

struct SceneShape {
  state::Shape shape;
  math::Transform local;
  float density = 1000;         // kg/m³
  bool is_sensor = false;       // touches nothing
  math::Vec3 surface_velocity;  // m/s, in the shape's frame
  SceneMaterial material;
  SceneFilter filter;

  bool operator==(const SceneShape&) const = default;
};

/// What is done to a dynamic body that enters a sensor of the body that says so.
struct SceneEntry {
  /// Where its frame is put, at rest and turned as it is. Of an empty one it is taken away, unless
  /// it is a player's.
  std::optional<math::Position> move_to;

  bool operator==(const SceneEntry&) const = default;
};

struct SceneBody {
  std::string name;
  state::MotionType motion = state::MotionType::Dynamic;
  math::Pose pose;
  math::Vec3 linear_velocity;   // m/s
  math::Vec3 angular_velocity;  // rad/s
  std::vector<SceneShape> shapes;
  float mass = 0;                                 // kg; 0: from volume and density
  float linear_damping = 0, angular_damping = 0;  // 1/s
  float gravity_scale = 1;
  bool is_sleep_allowed = true;
  bool is_awake = true;
  bool is_enabled = true;
  state::Locks locks = 0;                    // of a dynamic body
  std::optional<math::Mat3> inertia;         // kg·m², about the centre of mass, body's frame
  std::optional<math::Vec3> centre_of_mass;  // m, in the body's frame
  bool is_grabbable = true;
  state::Colour colour;
  std::optional<state::Course> course;  // kinematic bodies only
  float charge = 0;
  bool ignores_fields = false;
  std::optional<SceneEntry> on_enter;            // of its sensors
  std::optional<forces::Integrator> integrator;  // of a dynamic body, while it is free

  bool operator==(const SceneBody&) const = default;
};

/// What a joint leaves free; physics::JointKind says the same.
enum class JointKind : std::uint8_t {
  Ball,
  Hinge,
  Slider,
  Fixed,
  Distance,
  Wheel,
  SixAxis,
  Servo,
  Gear,
  Rack,
  Pulley
};

/// One axis of a six-axis joint; physics::JointAxisDef says more. Angles in radians.
struct SceneJointAxis {
  bool is_locked = true, has_limits = false;
  float lower = 0, upper = 0, rest = 0;
  float spring_hertz = 0, spring_damping_ratio = 0;
  float motor_speed = 0, max_motor_force = 0;
  float friction = 0;

  bool operator==(const SceneJointAxis&) const = default;
};

/// What only the kinds from Wheel on have; physics::JointDetails says more.
struct SceneJointDetails {
  math::Vec3 axle{0, 0, 1};  // wheel: unit, in the world
  float steer_angle = 0;     // rad
  float brake_torque = 0;    // N·m
  float sprung_mass = 0;     // kg; 0: what the chassis weighs there
  math::Quat rotation;       // six-axis: of its axes, in the world
  std::array<SceneJointAxis, 6> axes;
  math::Position target;                // servo: where the anchor is driven to
  float max_force = 0, max_torque = 0;  // servo: N, N·m
  math::Vec3 axis_b{1, 0, 0};           // gear: of b; rack: its way; unit, in the world
  float ratio = 1;                      // gear, rack, pulley
  math::Position over_a, over_b;        // pulley: in the world

  bool operator==(const SceneJointDetails&) const = default;
};

/// A joint of two bodies of the scene as they stand in it. Angles in radians.
struct SceneJoint {
  JointKind kind = JointKind::Ball;
  std::uint32_t body_a = 0, body_b = 0;  // indices into SceneDef::bodies
  math::Position anchor, anchor_b;       // in the world; of distance joints and pulleys
  math::Vec3 axis{1, 0, 0};              // unit
  bool has_limits = false;
  float lower = 0, upper = 0;  // rad or m
  bool has_cone = false;
  float cone = 0;          // rad
  float rest = 0;          // rad or m
  float spring_hertz = 0;  // 0: no spring
  float spring_damping_ratio = 0;
  float motor_speed = 0;      // rad/s or m/s
  float max_motor_force = 0;  // N·m or N; 0: no motor
  bool collides_connected = false;
  float break_force = 0, break_torque = 0;  // N, N·m; 0: never
  bool only_pulls = false;                  // the spring of a distance joint
  base::Boxed<SceneJointDetails> details;   // of the kinds from Wheel on

  bool operator==(const SceneJoint&) const = default;
};

/// A field around a player's body that acts on dynamic bodies between `inner` and `outer` metres
/// from its centre with an acceleration of min(limit, strength / distance²), negative strength
/// attracting.
struct SceneField {
  float inner = 0, outer = 0;  // m
  float strength = 0;          // m³/s²
  float limit = 0;             // m/s²

  bool operator==(const SceneField&) const = default;
};

/// How a player is moved: as a body by forces, as a figure that walks, or by the wheels of a car.
enum class PlayerKind : std::uint8_t { Body, Character, Car };

/// How a character walks; character::CharacterOptions says more.
struct SceneWalk {
  float max_slope = 0.87266463f;  // rad: 50°
  float step_height = 0.35f;      // m
  float step_down = 0.35f;        // m
  float skin = 0.01f;             // m
  float air_acceleration = 8;     // m/s²
  float push_force = 600;         // N

  bool operator==(const SceneWalk&) const = default;
};

/// The height of a character's capsule from tip to tip, m.
inline float standing_height(const state::Shape& capsule) {
  return 2.0f * (capsule.half_segment + capsule.radius);
}

/// What a player is and may do in this scene.
struct ScenePlayer {
  PlayerKind kind = PlayerKind::Body;
  SceneWalk walk;  // of a character
  CarDef car;      // of a car: then shape and mass are those of its chassis
  /// Where the file is silent, a sphere of 0.5 m, or of a character a capsule of 0.3 m and 1.8 m.
  SceneShape shape;
  float mass = 80;  // kg
  float linear_damping = 0, angular_damping = 0;
  bool is_rotation_locked = false;
  float move_force = 1600;  // N, along the wanted direction
  float max_speed = 8;      // m/s: no push beyond it; of a character, its speed
  float turn_factor = 2;    // the force is multiplied by it against the motion
  float jump_speed = 5;     // m/s, when standing on something; 0: none
  bool may_push = true, may_shoot = true, may_drag = true;
  float max_push_impulse = 200;        // N·s in one action
  float shot_radius = 0.25f;           // m
  float shot_mass = 20;                // kg
  float max_shot_speed = 40;           // m/s
  std::uint32_t max_shots_alive = 20;  // of one player; the oldest goes first
  bool clicks_shoot = false;           // a plain click is for shooting, not for pushing
  float drag_hertz = 4;                // of the spring that pulls a dragged body, critically damped
  float max_drag_force = 4000;         // N
  SceneField push_field;               // while button_push is held
  SceneField pull_field;               // while button_pull is held

  bool operator==(const ScenePlayer&) const = default;
};

/// A force generator of the scene.
struct SceneForce {
  forces::ForceField field;
  std::optional<std::uint32_t> body;  // index into SceneDef::bodies: of a thrust, or of a pole

  bool operator==(const SceneForce&) const = default;
};

/// A blast at a moment, or again and again.
struct SceneExplosion {
  forces::Explosion explosion;
  state::Moments moments;

  bool operator==(const SceneExplosion&) const = default;
};

/// Where and how particles come into being: at a point where the region is everywhere.
struct SceneEmitter {
  forces::Region region;
  float rate = 0;            // 1/s
  math::Vec3 velocity;       // m/s
  float spread = 0;          // m/s: evenly out of a ball
  float lifetime = 0;        // s; 0: for ever
  float lifetime_share = 1;  // lives last from this share of it to all of it
  float start = 0, end = 0;  // s; end 0: never
  std::uint64_t seed = 0;

  bool operator==(const SceneEmitter&) const = default;
};

/// Particles that are alike; physics::ParticleSetDef says more.
struct SceneParticles {
  std::string name;
  std::uint32_t max_count = 1'000;
  forces::Integrator integrator = forces::Integrator::SemiImplicitEuler;
  float mass = 0.01f;    // kg
  float radius = 0.02f;  // m
  float charge = 0;
  float gravity_scale = 1;
  bool ignores_fields = false;
  bool collides = true;
  std::uint32_t mask = 0xFFFFFFFFU;
  float friction = 0.5f, restitution = 0.3f;
  std::uint32_t material = 0;  // SceneMaterial::id
  state::Colour colour;
  std::vector<SceneEmitter> emitters;

  bool operator==(const SceneParticles&) const = default;
};

/// A figure of a body that those who look on read.
struct SceneReadout {
  std::string name;
  std::uint32_t body = 0;  // index into SceneDef::bodies
  state::ReadoutKind kind = state::ReadoutKind::EnergyChange;

  bool operator==(const SceneReadout&) const = default;
};

/// World options that a scene may set; see physics::WorldOptions.
struct SceneWorld {
  math::Vec3 gravity{0.0f, -9.81f, 0.0f};
  int substeps = 4;
  bool is_sleeping_enabled = true;
  float sleep_linear_speed = 0.05f, sleep_angular_speed = 0.05f, sleep_seconds = 0.5f;
  float restitution_threshold = 1.0f;
  float max_linear_speed = 400.0f, max_angular_speed = 200.0f;
  int time_percent = 100;  // of the time of those who look on: 1 to 1,000
  bool is_planar = false;  // what moves, players and shots too, has state::lock_planar

  bool operator==(const SceneWorld&) const = default;
};

/// A scene with its generators expanded: everything that a run starts from, in SI units, y up.
struct SceneDef {
  std::string name;
  std::string description;  // one sentence: what it shows
  SceneWorld world;
  ScenePlayer player;
  std::vector<math::Pose> spawns;  // of player bodies; at least one
  state::Camera camera;
  std::vector<SceneMaterialPair> material_pairs;
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<state::Push> pushes;  // what the scene itself does to dynamic bodies
  std::vector<SceneForce> fields;
  std::vector<SceneExplosion> explosions;
  std::vector<SceneParticles> particles;
  std::vector<SceneReadout> readouts;
  /// The file as it was read, comments included: recordings carry it.
  std::string source_text;

  bool operator==(const SceneDef&) const = default;
};

/// Where and why a scene was refused.
struct SceneError {
  std::string file;
  int line = 0, column = 0;  // 1-based; 0 when `path` says where
  std::string path;          // e.g. "bodies[12].mass"; empty for syntax and type errors
  std::string message;
  /// Who has what the path leads to, e.g. body "crate"; empty where nobody on it has a name.
  std::string subject = {};

  /// "crates.scene.json:12:8: unknown field: masss" or "crates.scene.json: bodies[12].mass of body
  /// "crate": must be above 0"
  std::string text() const;
};

inline constexpr std::size_t max_scene_file_bytes = 64U << 20;
inline constexpr std::size_t max_scene_bodies = 200'000;
inline constexpr std::size_t max_scene_joints = 400'000;
inline constexpr std::size_t max_scene_pushes = 10'000;
/// Each acts on every awake body in each step.
inline constexpr std::size_t max_scene_fields = 1'000;
/// Each looks at every body when it goes off.
inline constexpr std::size_t max_scene_explosions = 10'000;
inline constexpr std::size_t max_scene_material_pairs = 4'096;
inline constexpr std::size_t max_scene_particle_sets = 64;
inline constexpr std::size_t max_scene_particles = 1'000'000;  // of all sets together
inline constexpr std::size_t max_scene_emitters = 256;         // of one set
inline constexpr std::size_t max_pushed_bodies = 400'000;      // of all pushes together
inline constexpr std::size_t max_body_shapes = 256;
inline constexpr std::size_t max_scene_spawns = 4'096;
inline constexpr std::size_t max_scene_name_bytes = 64;
inline constexpr std::size_t max_description_bytes = 512;

/// Parses, checks and expands a scene. `file_name` is only for errors.
base::Result<SceneDef, SceneError> parse_scene(std::string_view text, std::string_view file_name);

/// The same of a scene in the binary form of shared/scene/scene.fbs, as `flatc -b` makes it of a
/// file. Needs no JSON and no library, but says of a bad value only its path. The scene has no
/// source_text.
base::Result<SceneDef, SceneError> read_scene(std::span<const std::uint8_t> buffer,
                                              std::string_view file_name);

/// Identifies the content: two scenes with equal hashes start equal worlds.
std::uint64_t hash(const SceneDef& scene);

}  // namespace jostle::scene
