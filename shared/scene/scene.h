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
#include "shared/state/kinematic_motion.h"
#include "shared/state/label.h"
#include "shared/state/motion_locks.h"
#include "shared/state/push.h"
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

/// The rule that combines the values of two shapes into that of their contact; same as
/// physics::CombineRule.
enum class CombineRule : std::uint8_t { GeometricMean, Average, Minimum, Multiply, Maximum };

/// The material of a surface; physics::Material documents the fields.
struct SceneMaterial {
  float friction = 0.6f;
  float restitution = 0.0f;
  float rolling_resistance = 0.0f;  // m, lever arm of the normal force that resists rolling
  // m, lever arm of the normal force that resists spinning on the spot
  float spinning_resistance = 0.0f;
  float static_friction = 0.0f;  // 0: same as friction
  CombineRule friction_rule = CombineRule::GeometricMean;
  CombineRule restitution_rule = CombineRule::Maximum;
  std::uint32_t id = 0;  // id in SceneDef::material_pairs; 0: the material is in no pair

  bool operator==(const SceneMaterial&) const = default;
};

/// Values for contacts between two materials. They replace the values combined from the two; a
/// value that is not set is combined as usual.
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
  bool is_sensor = false;       // detects overlaps, but has no contacts
  math::Vec3 surface_velocity;  // velocity in the shape's frame, m/s
  SceneMaterial material;
  SceneFilter filter;

  bool operator==(const SceneShape&) const = default;
};

/// The action on dynamic bodies that enter a sensor. It belongs to the body whose shape is the
/// sensor.
struct SceneEntry {
  /// Position to which the frame of the entering body is moved. The body's velocity is set to zero;
  /// its rotation does not change. If empty, the entering body is destroyed instead, unless it
  /// belongs to a player.
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
  float mass = 0;                                 // kg; 0: computed from volume and density
  float linear_damping = 0, angular_damping = 0;  // 1/s
  float gravity_scale = 1;
  bool is_sleep_allowed = true;
  bool is_awake = true;
  bool is_enabled = true;
  state::MotionLocks locks = 0;  // dynamic bodies only
  // about the centre of mass, in the body's frame, kg·m²; null: computed from the shapes
  std::optional<math::Mat3> inertia;
  // position in the body's frame, m; null: computed from the shapes
  std::optional<math::Vec3> centre_of_mass;
  bool is_grabbable = true;
  state::Colour colour;
  std::optional<state::KinematicMotion> kinematic_motion;  // kinematic bodies only
  float charge = 0;
  bool ignores_force_fields = false;
  std::optional<SceneEntry> on_enter;  // applied by the body's sensors
  // dynamic bodies only; used in steps in which the body has no joint and touches nothing
  std::optional<forces::Integrator> integrator;

  bool operator==(const SceneBody&) const = default;
};

/// The type of a joint; same as physics::JointKind.
enum class JointKind : std::uint8_t {
  Ball,
  Hinge,
  Slider,
  Fixed,
  Distance,
  Wheel,
  SixDof,
  Servo,
  Gear,
  RackAndPinion,
  Pulley
};

/// One axis of a six-DOF joint; physics::JointAxisDef documents the fields. Angles in radians.
struct SceneJointAxis {
  bool is_locked = true, has_limits = false;
  float lower = 0, upper = 0, rest = 0;
  float spring_hertz = 0, spring_damping_ratio = 0;
  float motor_speed = 0, max_motor_force = 0;
  float friction = 0;

  bool operator==(const SceneJointAxis&) const = default;
};

/// Fields that only joints of kind Wheel and the later kinds use; physics::JointDetails documents
/// the fields.
struct SceneJointDetails {
  math::Vec3 axle{0, 0, 1};  // wheel: unit vector in the world
  float steer_angle = 0;     // rad
  float brake_torque = 0;    // N·m
  float sprung_mass = 0;     // kg; 0: the mass of the chassis that rests on this wheel
  math::Quat rotation;       // six-DOF: rotation of its axes, in the world
  std::array<SceneJointAxis, 6> axes;
  math::Position target;                // servo: point to which the anchor is driven
  float max_force = 0, max_torque = 0;  // servo: N, N·m
  // gear: axis of b; rack: its direction of travel; unit vector in the world
  math::Vec3 axis_b{1, 0, 0};
  float ratio = 1;  // gear, rack, pulley
  math::Position ground_anchor_a,
      ground_anchor_b;  // pulley: fixed points of the rope, in the world

  bool operator==(const SceneJointDetails&) const = default;
};

/// A joint of two bodies of the scene, defined at their initial poses. Angles in radians.
struct SceneJoint {
  JointKind kind = JointKind::Ball;
  std::uint32_t body_a = 0, body_b = 0;  // indices into SceneDef::bodies
  // anchors in the world; anchor_b: distance joints and pulleys only
  math::Position anchor, anchor_b;
  math::Vec3 axis{1, 0, 0};  // unit vector
  bool has_limits = false;
  float lower = 0, upper = 0;  // rad or m
  bool has_cone = false;
  float cone = 0;          // rad
  float rest = 0;          // rad or m
  float spring_hertz = 0;  // 0: no spring
  float spring_damping_ratio = 0;
  float motor_speed = 0;      // rad/s or m/s
  float max_motor_force = 0;  // N·m or N; 0: no motor
  bool collide_connected = false;
  float break_force = 0, break_torque = 0;  // N, N·m; 0: unbreakable
  bool tension_only = false;                // distance joints: the spring acts only in tension
  base::Boxed<SceneJointDetails> details;   // used by Wheel and the later kinds

  bool operator==(const SceneJoint&) const = default;
};

/// A radial force field around a player's body. It acts on dynamic bodies between `inner` and
/// `outer` metres from the player's centre. The acceleration is min(limit, |strength| / distance²),
/// away from the player; a negative strength attracts.
struct SceneField {
  float inner = 0, outer = 0;  // m
  float strength = 0;          // m³/s²
  float limit = 0;             // m/s²

  bool operator==(const SceneField&) const = default;
};

/// The way a player moves: as a body pushed by forces, as a walking character, or as a car.
enum class PlayerKind : std::uint8_t { Body, Character, Car };

/// Parameters of a walking character; character::CharacterOptions documents them.
struct SceneCharacter {
  float max_slope = 0.87266463f;  // rad: 50°
  float step_height = 0.35f;      // m
  float step_down = 0.35f;        // m
  float skin = 0.01f;             // m
  float air_acceleration = 8;     // m/s²
  float push_force = 600;         // N

  bool operator==(const SceneCharacter&) const = default;
};

/// Returns the height of a character's capsule from tip to tip, m.
inline float standing_height(const state::Shape& capsule) {
  return 2.0f * (capsule.half_segment + capsule.radius);
}

/// The player's body and abilities in this scene.
struct ScenePlayer {
  PlayerKind kind = PlayerKind::Body;
  SceneCharacter walk;  // characters only
  CarDef car;           // cars only; shape and mass are those of its chassis
  /// Defaults to a sphere with a radius of 0.5 m; for a character, to a capsule with a radius of
  /// 0.3 m and a height of 1.8 m.
  SceneShape shape;
  float mass = 80;  // kg
  float linear_damping = 0, angular_damping = 0;
  bool is_rotation_locked = false;
  float move_force = 1600;  // force in the direction of the player's input, N
  // m/s; move_force does not act above this speed; for a character, its walking speed
  float max_speed = 8;
  float turn_factor = 2;  // factor of move_force when the body moves against the input
  float jump_speed = 5;   // m/s, when standing on something; 0: cannot jump
  bool may_push = true, may_shoot = true, may_grab = true;
  float max_push_impulse = 200;        // N·s per action
  float shot_radius = 0.25f;           // m
  float shot_mass = 20;                // kg
  float max_shot_speed = 40;           // m/s
  std::uint32_t max_shots_alive = 20;  // limit per player; the oldest shot is removed first
  bool shoot_on_click = false;         // a plain click shoots instead of pushing
  float grab_hertz = 4;  // frequency of the critically damped spring that pulls a grabbed body, Hz
  float max_grab_force = 4000;  // N
  SceneField push_field;        // active while button_push is held
  SceneField pull_field;        // active while button_pull is held

  bool operator==(const ScenePlayer&) const = default;
};

/// A force field of the scene.
struct SceneForce {
  forces::ForceField field;
  // index into SceneDef::bodies; for a thrust, or for a point charge on a body
  std::optional<std::uint32_t> body;

  bool operator==(const SceneForce&) const = default;
};

/// An explosion at one time, or a periodic series of explosions.
struct SceneExplosion {
  forces::Explosion explosion;
  state::Moments moments;

  bool operator==(const SceneExplosion&) const = default;
};

/// A source of particles. It emits from the point `region.centre` if the kind of region is
/// Everywhere.
struct SceneEmitter {
  forces::Region region;
  float rate = 0;       // 1/s
  math::Vec3 velocity;  // m/s
  // m/s; radius of the ball from which a random velocity is drawn uniformly and added
  float spread = 0;
  float lifetime = 0;               // s; 0: unlimited
  float min_lifetime_fraction = 1;  // shortest lifetime, as a share of `lifetime`
  float start = 0, end = 0;         // s; end 0: never
  std::uint64_t seed = 0;

  bool operator==(const SceneEmitter&) const = default;
};

/// A set of particles with equal properties; physics::ParticleSetDef documents the fields.
struct SceneParticles {
  std::string name;
  std::uint32_t max_count = 1'000;
  forces::Integrator integrator = forces::Integrator::SemiImplicitEuler;
  float mass = 0.01f;    // kg
  float radius = 0.02f;  // m
  float charge = 0;
  float gravity_scale = 1;
  bool ignores_force_fields = false;
  bool collides = true;
  std::uint32_t mask = 0xFFFFFFFFU;
  float friction = 0.5f, restitution = 0.3f;
  std::uint32_t material = 0;  // SceneMaterial::id
  state::Colour colour;
  std::vector<SceneEmitter> emitters;

  bool operator==(const SceneParticles&) const = default;
};

/// A value of a body that viewers display.
struct SceneLabel {
  std::string name;
  std::uint32_t body = 0;  // index into SceneDef::bodies
  state::LabelKind kind = state::LabelKind::EnergyChange;

  bool operator==(const SceneLabel&) const = default;
};

/// World options that a scene may set; see physics::WorldOptions.
struct SceneWorld {
  math::Vec3 gravity{0.0f, -9.81f, 0.0f};
  int substeps = 4;
  bool is_sleeping_enabled = true;
  float sleep_linear_speed = 0.05f, sleep_angular_speed = 0.05f, sleep_seconds = 0.5f;
  float restitution_threshold = 1.0f;
  float max_linear_speed = 400.0f, max_angular_speed = 200.0f;
  int time_percent = 100;  // speed of the simulation in percent of real time, 1 to 1,000
  // true: all dynamic bodies, including players and shots, have state::lock_planar
  bool is_planar = false;

  bool operator==(const SceneWorld&) const = default;
};

/// A scene with its generators expanded: the complete initial state of a run, in SI units, y up.
struct SceneDef {
  std::string name;
  std::string description;  // one sentence that says what the scene shows
  SceneWorld world;
  ScenePlayer player;
  std::vector<math::Pose> spawns;  // poses at which players spawn; at least one
  state::Camera camera;
  std::vector<SceneMaterialPair> material_pairs;
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<state::Push> pushes;  // scripted pushes on dynamic bodies
  std::vector<SceneForce> fields;
  std::vector<SceneExplosion> explosions;
  std::vector<SceneParticles> particles;
  std::vector<SceneLabel> labels;
  /// The text of the file, including comments. Recordings store it.
  std::string source_text;

  bool operator==(const SceneDef&) const = default;
};

/// The reason why a scene was rejected, and its location.
struct SceneError {
  std::string file;
  int line = 0, column = 0;  // 1-based; 0 if the error concerns the whole file
  std::string path;          // e.g. "bodies[12].mass"; empty for syntax and type errors
  std::string message;
  /// The named object that the path refers to, e.g. body "crate". Empty if the object has no name.
  std::string subject = {};

  /// Returns a one-line message, e.g. "crates.scene.json:12:8: unknown field: masss" or
  /// "crates.scene.json:90:13: bodies[12].mass of body "crate": must be from 1e-06 to 1000000000,
  /// is 0".
  std::string text() const;
};

inline constexpr std::size_t max_scene_file_bytes = 64U << 20;
inline constexpr std::size_t max_scene_bodies = 200'000;
inline constexpr std::size_t max_scene_joints = 400'000;
inline constexpr std::size_t max_scene_pushes = 10'000;
/// Maximum number of fields. Each one acts on every awake body in each step.
inline constexpr std::size_t max_scene_fields = 1'000;
/// Maximum number of explosions. Each one tests every body when it goes off.
inline constexpr std::size_t max_scene_explosions = 10'000;
inline constexpr std::size_t max_scene_material_pairs = 4'096;
inline constexpr std::size_t max_scene_particle_sets = 64;
inline constexpr std::size_t max_scene_particles = 1'000'000;  // total of all sets
inline constexpr std::size_t max_scene_emitters = 256;         // limit per particle set
inline constexpr std::size_t max_pushed_bodies = 400'000;      // total of all pushes
inline constexpr std::size_t max_body_shapes = 256;
inline constexpr std::size_t max_scene_spawns = 4'096;
inline constexpr std::size_t max_scene_name_bytes = 64;
inline constexpr std::size_t max_description_bytes = 512;

/// Parses, checks and expands a scene. `file_name` is used only in error messages.
base::Result<SceneDef, SceneError> parse_scene(std::string_view text, std::string_view file_name);

/// Loads a scene in the binary form of shared/scene/scene.fbs, as written by `flatc -b`. Needs
/// neither JSON nor the FlatBuffers library. Errors give the path of a bad value, but no line. The
/// scene has no source_text.
base::Result<SceneDef, SceneError> read_scene(std::span<const std::uint8_t> buffer,
                                              std::string_view file_name);

/// Returns a hash of the content. Scenes with equal hashes start equal worlds.
std::uint64_t hash(const SceneDef& scene);

}  // namespace jostle::scene
