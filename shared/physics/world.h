#pragma once

#include "shared/base/bytes.h"
#include "shared/base/result.h"
#include "shared/forces/explosion.h"
#include "shared/math/aabb.h"
#include "shared/math/transform.h"
#include "shared/physics/body.h"
#include "shared/physics/events.h"
#include "shared/physics/execution.h"
#include "shared/physics/force_field.h"
#include "shared/physics/handles.h"
#include "shared/physics/joint.h"
#include "shared/physics/particles.h"
#include "shared/physics/queries.h"
#include "shared/physics/stabilizers.h"
#include "shared/physics/state_hash.h"
#include "shared/physics/step_stats.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace jostle::physics {

/// The settings of a world. Every field is part of the save and of the state hash.
struct WorldOptions {
  math::Vec3 gravity{0.0f, -9.81f, 0.0f};  // m/s²
  float step_seconds = 1.0f / 60.0f;
  int substeps = 4;
  bool is_sleeping_enabled = true;
  /// An island falls asleep when all its bodies have been slow for `sleep_seconds`. A body is slow
  /// if its speeds do not exceed these limits, or if its mean motion does not and its speeds do not
  /// exceed four times the limits. A small body may turn faster than `sleep_angular_speed` if that
  /// moves no point of it faster than `sleep_linear_speed`.
  float sleep_linear_speed = 0.05f;   // m/s
  float sleep_angular_speed = 0.05f;  // rad/s
  float sleep_seconds = 0.5f;
  /// Contacts that approach more slowly than this do not bounce, which keeps resting contacts from
  /// chattering.
  float restitution_threshold = 1.0f;  // m/s
  /// Natural frequency (Hz) and damping ratio of the soft constraints that push overlapping shapes
  /// apart.
  float contact_hertz = 50.0f;
  float contact_damping_ratio = 1.5f;
  float max_contact_push_speed = 3.0f;  // m/s, maximum speed at which overlap is resolved
  /// Natural frequency (Hz) and damping ratio of the soft constraints that close position errors of
  /// joints.
  float joint_hertz = 60.0f;
  float joint_damping_ratio = 2.0f;
  float max_linear_speed = 400.0f;   // m/s
  float max_angular_speed = 200.0f;  // rad/s
  /// The stabilizers that act. Turn one off to see what it does; scenes keep all of them.
  Stabilizers stabilizers;
};

/// Returns true if a world can run with these options: all values are finite, the step is positive
/// and at most 1 s, and there are 1 to 64 substeps. `max_contact_push_speed`, `max_linear_speed`
/// and `max_angular_speed` are positive, and no other scalar is negative. Every bit of
/// `stabilizers` belongs to a stabilizer.
bool are_valid(const WorldOptions& options);

class DebugDrawReceiver;
struct DebugDrawOptions;
struct StateNumber;
struct WorldState;

/// Reasons for which World::restore fails.
enum class RestoreError : std::uint8_t {
  Truncated,
  WrongFormat,
  Inconsistent,
  MissingSolid,  // the save refers to geometry that is not registered in this world
};

/// A deterministic rigid-body world: the same calls produce the same bits on every machine.
///
/// Conventions: right-handed, y up, SI units. A world never reads a clock, a file or a random
/// number.
///
/// Violating a precondition ends the program. Every call that takes a handle requires it to be
/// alive (`is_alive`). All values must be finite, also those passed to queries, and rotations must
/// have unit length.
///
/// Finite inputs can still drive a body to non-finite values or out of bounds (1e9 m from the
/// origin along an axis). Such a body is quarantined (StepStats::quarantined_bodies): it leaves the
/// simulation and stays at its last pose. Calls that would move it do nothing, and creating a joint
/// to it violates a precondition; see `is_quarantined`.
class World {
 public:
  explicit World(const WorldOptions& options);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const WorldOptions& options() const;
  /// Sets the gravity, in m/s². If it changes, wakes all dynamic bodies and scales the warm-start
  /// impulses of contacts and joints. The factor is the component of the new gravity along the old
  /// one, divided by the magnitude of the old one and clamped to 0..1.
  void set_gravity(math::Vec3 gravity);

  // Bodies and shapes. A dynamic body without a mass and without a shape of positive density has a
  // mass of 1 kg and moments of inertia of 1 kg·m².
  BodyHandle create_body(const BodyDef& def);
  /// Destroys a body with its shapes, joints and fields. Wakes the dynamic bodies that touched it,
  /// were joined to it or acted on it by fields.
  void destroy_body(BodyHandle body);
  ShapeHandle add_shape(BodyHandle body, const ShapeDef& def);
  bool is_alive(ShapeHandle shape) const;
  /// Registers geometry, so that a save that refers to it can be restored. `add_shape` registers
  /// its geometry automatically; it stays registered when the shape is destroyed.
  void add_solid(const std::shared_ptr<const state::Solid>& solid);
  /// Returns the registered geometry with this content hash, or null.
  std::shared_ptr<const state::Solid> find_solid(std::uint64_t content_hash) const;
  bool is_alive(BodyHandle body) const;
  bool is_quarantined(BodyHandle body) const;
  /// Returns the alive bodies in slot order.
  std::vector<BodyHandle> bodies() const;
  std::uint32_t body_count() const;

  // Joints. Joined bodies do not collide unless JointDef::collide_connected is true. Creating,
  // changing or destroying a joint wakes both bodies.
  JointHandle create_joint(const JointDef& def);
  void destroy_joint(JointHandle joint);
  bool is_alive(JointHandle joint) const;
  /// Returns the alive joints in slot order.
  std::vector<JointHandle> joints() const;
  std::uint32_t joint_count() const;
  const JointDef& joint_def(JointHandle joint) const;
  JointState joint_state(JointHandle joint) const;
  void set_joint_limits(JointHandle joint, const JointLimits& limits);
  void set_joint_cone(JointHandle joint, const JointCone& cone);
  void set_joint_spring(JointHandle joint, const JointSpring& spring, float rest);
  void set_joint_motor(JointHandle joint, const JointMotor& motor);
  /// Sets the parameters of the joint kinds Wheel, SixDof, Servo, Gear, RackAndPinion and Pulley.
  /// This call and the next four wake the bodies only if a value changes.
  void set_joint_details(JointHandle joint, const JointDetails& details);
  /// Sets one axis of a six-DOF joint.
  void set_joint_axis(JointHandle joint, std::size_t axis, const JointAxisDef& def);
  void set_wheel_steering(JointHandle joint, float angle);  // rad
  void set_wheel_brake(JointHandle joint, float torque);    // N·m
  void set_servo_target(JointHandle joint, const math::Transform& target);

  // Force generators (shared/forces). In each step a field acts on all awake dynamic bodies that do
  // not ignore fields. It is evaluated at the positions of the bodies in the middle of the step. A
  // thrust acts on its body only. Creating, changing or destroying a field wakes the bodies on
  // which it can act. Bodies that act on each other by charges or poles sleep and wake together.
  ForceFieldHandle create_force_field(const ForceFieldDef& def);
  void destroy_force_field(ForceFieldHandle field);
  void set_force_field(ForceFieldHandle field, const ForceFieldDef& def);
  bool is_alive(ForceFieldHandle field) const;
  /// Returns the alive fields in slot order.
  std::vector<ForceFieldHandle> force_fields() const;
  std::uint32_t force_field_count() const;
  const ForceFieldDef& force_field_def(ForceFieldHandle field) const;
  void set_charge(BodyHandle body, float charge);
  float charge(BodyHandle body) const;
  /// Applies the impulses of an explosion to all dynamic bodies within its radius, immediately.
  /// Bodies do not shield other bodies behind them.
  void explode(const forces::Explosion& explosion);

  // Particles. They move at the end of a step, after the bodies, and never wake a body. Particles
  // that become non-finite or leave the valid range of coordinates are removed.
  ParticleSetHandle create_particle_set(const ParticleSetDef& def);
  void destroy_particle_set(ParticleSetHandle set);
  bool is_alive(ParticleSetHandle set) const;
  /// Returns the alive particle sets in slot order.
  std::vector<ParticleSetHandle> particle_sets() const;
  const ParticleSetDef& particle_set_def(ParticleSetHandle set) const;
  /// Adds a particle. Returns false if the set is full.
  bool add_particle(ParticleSetHandle set, const Particle& particle);
  ParticleView particles(ParticleSetHandle set) const;

  /// Disables or enables a body. A disabled body keeps its properties but is not part of the
  /// simulation, and costs a step nothing:
  ///
  /// * It does not move or collide, and no query or sensor finds it.
  /// * No field acts on it, and its charge and poles act on no other body.
  /// * Its joints act only while both of their bodies are enabled.
  /// * `set_pose` and other settings are stored and take effect once it is enabled again. Impulses,
  ///   forces and move_kinematic are ignored.
  ///
  /// Disabling a body wakes the dynamic bodies that touched it, were joined to it or acted on it by
  /// fields; the next step reports the ended contacts and sensor overlaps. Enabling a body inserts
  /// it awake, as if it were newly created at its pose. `sleep_changes` reports both changes. While
  /// any body is disabled, each call that enables, disables, destroys or quarantines a body visits
  /// all joints.
  void set_enabled(BodyHandle body, bool is_enabled);
  bool is_enabled(BodyHandle body) const;

  // Material pairs. The values of a pair replace those that would be combined from its two
  // materials. There may be up to `max_material_pairs` pairs; material ids must be above 0.
  // Changing a pair wakes the bodies whose touching contacts use it.

  /// Sets the values of a pair. Empty values remove the pair from the table.
  void set_pair_material(MaterialId a, MaterialId b, const PairMaterial& values);
  /// Returns the values of a pair, which are empty if the pair is not in the table.
  PairMaterial pair_material(MaterialId a, MaterialId b) const;
  /// Returns the table, sorted by (a, b). The span is valid until the next non-const call.
  std::span<const MaterialPair> material_pairs() const;

  /// Sets the surface velocity of a shape. If it changes, wakes the body and the bodies that touch
  /// it.
  void set_surface_velocity(ShapeHandle shape, math::Vec3 velocity);

  // Reading. Poses are those of the body's frame, not of its centre of mass.
  math::Pose pose(BodyHandle body) const;
  math::Vec3 linear_velocity(BodyHandle body) const;   // velocity of the centre of mass
  math::Vec3 angular_velocity(BodyHandle body) const;  // world frame
  math::Vec3 velocity_at(BodyHandle body, math::Position point) const;
  math::Position centre_of_mass(BodyHandle body) const;
  float mass(BodyHandle body) const;  // 0 for static and kinematic
  // inertia tensor about the centre of mass, body frame
  math::Mat3 inertia_local(BodyHandle body) const;
  MotionType motion_type(BodyHandle body) const;
  bool is_awake(BodyHandle body) const;
  std::optional<forces::Integrator> integrator(BodyHandle body) const;
  float gravity_scale(BodyHandle body) const;
  bool ignores_force_fields(BodyHandle body) const;
  std::uint64_t user_data(BodyHandle body) const;
  math::Aabb aabb(BodyHandle body) const;
  std::span<const ShapeHandle> shapes(BodyHandle body) const;
  ShapeDef shape_def(ShapeHandle shape) const;

  // Writing. All of these except `set_awake(false)` wake a sleeping dynamic body.
  void set_pose(BodyHandle body, const math::Pose& pose);
  void set_velocity(BodyHandle body, math::Vec3 linear, math::Vec3 angular);
  void set_awake(BodyHandle body, bool is_awake);
  void set_gravity_scale(BodyHandle body, float scale);
  void apply_impulse(BodyHandle body, math::Vec3 impulse, math::Position point);  // N·s
  void apply_central_impulse(BodyHandle body, math::Vec3 impulse);
  void apply_angular_impulse(BodyHandle body, math::Vec3 impulse);  // N·m·s
  /// The next three calls apply a force or torque during the next step only.
  void apply_force(BodyHandle body, math::Vec3 force, math::Position point);  // N
  void apply_central_force(BodyHandle body, math::Vec3 force);
  void apply_torque(BodyHandle body, math::Vec3 torque);  // N·m
  /// Moves a kinematic body so that it reaches `target` at the end of the next step.
  void move_kinematic(BodyHandle body, const math::Pose& target);

  /// Sets the number of threads and the SIMD level of the steps, which change no result. The CPU
  /// must support the level (simd::is_supported).
  void set_execution(const Execution& execution);
  const Execution& execution() const;
  /// Sets the clock that measures the stages of each step; nullptr turns measuring off. All threads
  /// that step the world call the clock.
  void set_stage_clock(StageClock clock);

  /// Advances the world by options().step_seconds. The events of the previous step are discarded.
  void step();
  const StepStats& stats() const;
  /// Returns the stages of the last step in the order in which they ran; empty without a clock.
  /// Islands that are solved in parallel form a single span, Stage::SmallIslands.
  std::span<const StageSpan> stage_spans() const;
  /// Sets a test function that each thread calls before each block of parallel work, to vary the
  /// schedule.
  void set_schedule_disturbance(void (*disturbance)(int thread, std::uint32_t block));

  // Events of the last step. Each list is sorted by handles.
  std::span<const ContactBegin> contact_begins() const;
  std::span<const ContactEnd> contact_ends() const;
  std::span<const ContactHit> contact_hits() const;
  std::span<const SensorBegin> sensor_begins() const;
  std::span<const SensorEnd> sensor_ends() const;
  std::span<const SleepChange> sleep_changes() const;
  std::span<const JointBreak> joint_breaks() const;
  /// Returns one view per manifold of the touching contacts, sorted by shape handles.
  std::vector<ContactView> contacts() const;
  /// Returns the number of contact points in all touching contacts of a body.
  std::size_t contact_point_count(BodyHandle body) const;
  /// Returns the island of a body, sorted by handle: all dynamic bodies that are connected to it by
  /// contacts, joints or fields, directly or through other bodies. Empty if the body is not
  /// dynamic, or is disabled or quarantined.
  std::vector<BodyHandle> island(BodyHandle body) const;
  /// Returns the shapes that overlapped a sensor after the last step, sorted by handle. Calls since
  /// then may have removed some.
  std::span<const ShapeHandle> sensor_overlaps(ShapeHandle sensor) const;

  // Queries see the world as the last step or call left it. Distances and radii must not be
  // negative. A batch query takes a list and returns one answer per entry, in the order of the
  // list, equal to that of the single query. Batch queries run on all threads of the world
  // (set_execution), so only one may run on a world at a time.
  std::optional<CastHit> cast_ray(const Ray& ray, const QueryFilter& filter) const;
  /// Returns all hits, sorted by (fraction, shape).
  std::vector<CastHit> cast_ray_all(const Ray& ray, const QueryFilter& filter) const;
  std::vector<std::optional<CastHit>> cast_rays(std::span<const Ray> rays,
                                                const QueryFilter& filter) const;
  /// Returns the first shape that the moving shape hits. Shapes that overlap it at the start are
  /// ignored, and so are the back faces of triangles. In the hit, `point` is the point of contact
  /// on the hit shape, and `normal` points from the hit shape to the moving shape.
  std::optional<CastHit> cast_shape(const ShapeCast& cast, const QueryFilter& filter) const;
  /// Returns all shapes that the moving shape hits if nothing stops it, sorted by (fraction,
  /// shape).
  std::vector<CastHit> cast_shape_all(const ShapeCast& cast, const QueryFilter& filter) const;
  std::vector<std::optional<CastHit>> cast_shapes(std::span<const ShapeCast> casts,
                                                  const QueryFilter& filter) const;
  /// Returns the nearest shape within `max_distance`. If several are equally near, returns the one
  /// with the smallest handle.
  std::optional<ClosestHit> closest(const QueryShape& query, float max_distance,
                                    const QueryFilter& filter) const;
  /// Returns all shapes within `max_distance`, sorted by (distance, shape).
  std::vector<ClosestHit> closest_all(const QueryShape& query, float max_distance,
                                      const QueryFilter& filter) const;
  /// Returns the result of `closest` for each query.
  std::vector<std::optional<ClosestHit>> closest_of_each(std::span<const QueryShape> queries,
                                                         float max_distance,
                                                         const QueryFilter& filter) const;
  /// Returns the shapes whose bounding boxes overlap `box`, sorted by handle.
  std::vector<ShapeHandle> overlap_aabb(const math::Aabb& box, const QueryFilter& filter) const;
  std::vector<std::vector<ShapeHandle>> overlap_aabbs(std::span<const math::Aabb> boxes,
                                                      const QueryFilter& filter) const;
  /// Returns the shapes that overlap the sphere (exact test), sorted by handle.
  std::vector<ShapeHandle> overlap_sphere(math::Position centre, float radius,
                                          const QueryFilter& filter) const;
  /// Returns the shapes that have a point in common with the query shape, sorted by handle.
  std::vector<ShapeHandle> overlap_shape(const QueryShape& query, const QueryFilter& filter) const;
  std::vector<std::vector<ShapeHandle>> overlap_shapes(std::span<const QueryShape> queries,
                                                       const QueryFilter& filter) const;
  BodyHandle body_of(ShapeHandle shape) const;

  /// Writes everything that the next step reads, little-endian, with the same bytes on every
  /// machine. Solids are stored as the hash of their content.
  void save(base::ByteWriter& writer) const;
  /// Replaces the whole world, options included, by the saved one. Events and statistics of the
  /// last step are discarded. Registered solids, execution settings, stage clock and stage hook
  /// stay. On error the world is unchanged. Safe for untrusted bytes.
  base::Result<base::Ok, RestoreError> restore(base::ByteReader& reader);
  StateHash hash() const;
  /// Returns every number that the hash covers, with its name, for comparing two worlds
  /// (state_listing.h).
  std::vector<StateNumber> dump_state() const;
  /// Sets a function that a step calls after the stages Prepare, FindPairs, Collide, Solve, Sleep,
  /// Particles and FinishEvents, to find the stage in which two worlds diverge. The function may
  /// call dump_state() and hash(), and nothing else. An empty function removes the hook.
  void set_stage_hook(std::function<void(Stage)> hook);
  /// Returns the hash of one body: its pose, velocities, properties and sleep state, without its
  /// shapes, charge and integrator.
  std::uint64_t hash(BodyHandle body) const;
  /// Flips the lowest bit of one number of a body, to inject a fault for desync tests. `field` is a
  /// name as in dump_state(), such as "linear_velocity.y". Discards the events of the last step,
  /// like restore(). Returns false and changes nothing if the body has no such number, or if the
  /// result would be invalid.
  bool flip_lowest_bit(BodyHandle body, std::string_view field);
  /// Copies the state of another world, as if this world had taken the same steps. Threads, SIMD
  /// level, stage clock and stage hook are not copied. A rollback to an earlier copy costs only the
  /// copying of memory, much less than restore().
  void copy_from(const World& other);

 private:
  /// Draws the contents of the world (debug_draw.h).
  friend void debug_draw(const World& world, const DebugDrawOptions& options,
                         DebugDrawReceiver& receiver);

  std::unique_ptr<WorldState> state_;
};

}  // namespace jostle::physics
