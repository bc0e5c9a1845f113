#pragma once

#include "shared/base/bytes.h"
#include "shared/base/result.h"
#include "shared/forces/explosion.h"
#include "shared/math/aabb.h"
#include "shared/math/transform.h"
#include "shared/physics/body.h"
#include "shared/physics/events.h"
#include "shared/physics/execution.h"
#include "shared/physics/field.h"
#include "shared/physics/handles.h"
#include "shared/physics/joint.h"
#include "shared/physics/particles.h"
#include "shared/physics/queries.h"
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

/// How a world behaves. Every field is part of the save and of the hash.
struct WorldOptions {
  math::Vec3 gravity{0.0f, -9.81f, 0.0f};  // m/s²
  float step_seconds = 1.0f / 60.0f;
  int substeps = 4;
  bool is_sleeping_enabled = true;
  /// A body whose speeds stay below these for `sleep_seconds`, with its whole island, falls asleep.
  float sleep_linear_speed = 0.05f;   // m/s
  float sleep_angular_speed = 0.05f;  // rad/s
  float sleep_seconds = 0.5f;
  /// Approach slower than this does not bounce: resting contact would chatter.
  float restitution_threshold = 1.0f;  // m/s
  float contact_hertz = 50.0f;
  float contact_damping_ratio = 1.5f;
  float max_contact_push_speed = 3.0f;  // m/s, of overlap resolution
  /// How fast and how calmly joints close a gap.
  float joint_hertz = 60.0f;
  float joint_damping_ratio = 2.0f;
  float max_linear_speed = 400.0f;   // m/s
  float max_angular_speed = 200.0f;  // rad/s
};

/// Whether a world can run with these: all finite, times and limits positive, 1 to 64 substeps.
bool are_valid(const WorldOptions& options);

class DebugDrawReceiver;
struct DebugDrawOptions;
struct StateNumber;
struct WorldState;

enum class RestoreError : std::uint8_t {
  Truncated,
  WrongFormat,
  Inconsistent,
  MissingSolid,  // the save refers to geometry that the world has not been given
};

/// A deterministic rigid-body world: the same calls give the same bits on every machine.
///
/// Right-handed, y up, SI units. Calls that take a handle require it to be alive (a broken contract
/// otherwise); `is_alive` tells. Values must be finite, also those that are only asked about, and
/// rotations of unit length: a call with another value ends the program. Finite values may still
/// carry a body out of the finite, which takes it out of the simulation
/// (StepStats::quarantined_bodies): it stays where it last was, and calls that would move it do
/// nothing, but joints to it are a broken contract; `is_quarantined` tells. Nothing here reads a
/// clock, a file or a random number.
class World {
 public:
  explicit World(const WorldOptions& options);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const WorldOptions& options() const;
  /// Wakes all, if it is another than before. What contacts and joints bear shrinks with it.
  void set_gravity(math::Vec3 gravity);

  // Bodies and shapes. A body with no shape of positive density has mass 1 and unit inertia.
  BodyHandle create_body(const BodyDef& def);
  /// Its joints go with it. Wakes what touched it.
  void destroy_body(BodyHandle body);
  ShapeHandle add_shape(BodyHandle body, const ShapeDef& def);
  /// Makes geometry known, so that a save that refers to it can be restored. What `add_shape` has
  /// seen is known already, also after the shape has gone.
  void add_solid(const std::shared_ptr<const state::Solid>& solid);
  /// Known geometry with this content hash, or null.
  std::shared_ptr<const state::Solid> find_solid(std::uint64_t content_hash) const;
  bool is_alive(BodyHandle body) const;
  bool is_quarantined(BodyHandle body) const;
  /// Alive bodies in slot order.
  std::vector<BodyHandle> bodies() const;
  std::uint32_t body_count() const;

  // Joints. Bodies that are joined do not collide, unless the joint says so. Both wake.
  JointHandle create_joint(const JointDef& def);
  void destroy_joint(JointHandle joint);
  bool is_alive(JointHandle joint) const;
  /// Alive joints in slot order.
  std::vector<JointHandle> joints() const;
  std::uint32_t joint_count() const;
  const JointDef& joint_def(JointHandle joint) const;
  JointState joint_state(JointHandle joint) const;
  void set_joint_limits(JointHandle joint, const JointLimits& limits);
  void set_joint_cone(JointHandle joint, const JointCone& cone);
  void set_joint_spring(JointHandle joint, const JointSpring& spring, float rest);
  void set_joint_motor(JointHandle joint, const JointMotor& motor);
  /// Of the kinds from Wheel on. What changes nothing wakes nobody; so also the calls below.
  void set_joint_details(JointHandle joint, const JointDetails& details);
  void set_joint_axis(JointHandle joint, std::size_t axis, const JointAxisDef& def);  // six-axis
  void set_wheel_steering(JointHandle joint, float angle);                            // rad
  void set_wheel_brake(JointHandle joint, float torque);                              // N·m
  void set_servo_target(JointHandle joint, const math::Transform& target);

  // Force generators (shared/forces). They act on all dynamic bodies that do not ignore them, in
  // each step, from where the middle of the step finds these. What it may act on wakes when one
  // comes, goes or changes; bodies that move each other by charges and poles sleep and wake
  // together.
  FieldHandle create_field(const FieldDef& def);
  void destroy_field(FieldHandle field);
  void set_field(FieldHandle field, const FieldDef& def);
  bool is_alive(FieldHandle field) const;
  /// Alive fields in slot order.
  std::vector<FieldHandle> fields() const;
  std::uint32_t field_count() const;
  const FieldDef& field_def(FieldHandle field) const;
  void set_charge(BodyHandle body, float charge);
  float charge(BodyHandle body) const;
  /// Blows at all dynamic bodies in reach, at once. Nothing shields what is behind something.
  void explode(const forces::Explosion& explosion);

  // Particles. They move at the end of a step, after the bodies, and wake none of them. Those that
  // leave the finite go.
  ParticleSetHandle create_particles(const ParticleSetDef& def);
  void destroy_particles(ParticleSetHandle set);
  bool is_alive(ParticleSetHandle set) const;
  /// Alive sets in slot order.
  std::vector<ParticleSetHandle> particle_sets() const;
  const ParticleSetDef& particle_set_def(ParticleSetHandle set) const;
  /// Whether there was room for it.
  bool add_particle(ParticleSetHandle set, const Particle& particle);
  ParticleView particles(ParticleSetHandle set) const;

  /// A body that is switched off keeps all that it has, and is not in the world: it does not move,
  /// touches nothing, is found by no query and no sensor, feels no field and bears none, and its
  /// joints act only while both of their bodies are on. It costs a step nothing. What touched it or
  /// hung by it wakes; the next step reports contacts and sensors that it has left. Of what is
  /// called meanwhile, set_pose and the other settings show once it is on again; impulses, forces
  /// and move_kinematic do nothing. It comes back awake, as if it were new at that place. Both
  /// changes are among `sleep_changes`. While any body is off, switching, destroying and
  /// quarantining a body asks all joints.
  void set_enabled(BodyHandle body, bool is_enabled);
  bool is_enabled(BodyHandle body) const;

  // Materials of named pairs: what their contacts go by in place of what follows from the two. Up
  // to max_material_pairs, and names above 0. What touches by a pair wakes when its values change.
  /// Values that say nothing take the pair out of the table.
  void set_pair_material(MaterialId a, MaterialId b, const PairMaterial& values);
  /// Says nothing of a pair that is not in the table.
  PairMaterial pair_material(MaterialId a, MaterialId b) const;
  /// By (a, b). Valid until the next call that is not const.
  std::span<const MaterialPair> material_pairs() const;

  /// Wakes what touches the shape, if it is another than before.
  void set_surface_velocity(ShapeHandle shape, math::Vec3 velocity);

  // Reading. Poses are those of the body's frame, not of its centre of mass.
  math::Pose pose(BodyHandle body) const;
  math::Vec3 linear_velocity(BodyHandle body) const;   // of the centre of mass
  math::Vec3 angular_velocity(BodyHandle body) const;  // world frame
  math::Vec3 velocity_at(BodyHandle body, math::Position point) const;
  math::Position centre_of_mass(BodyHandle body) const;
  float mass(BodyHandle body) const;                // 0 for static and kinematic
  math::Mat3 inertia_local(BodyHandle body) const;  // about the centre of mass, body frame
  MotionType motion_type(BodyHandle body) const;
  bool is_awake(BodyHandle body) const;
  std::optional<forces::Integrator> integrator(BodyHandle body) const;
  float gravity_scale(BodyHandle body) const;
  bool ignores_fields(BodyHandle body) const;
  std::uint64_t user_data(BodyHandle body) const;
  math::Aabb aabb(BodyHandle body) const;
  std::span<const ShapeHandle> shapes(BodyHandle body) const;
  ShapeDef shape_def(ShapeHandle shape) const;

  // Writing. All but `set_awake(false)` wake a sleeping dynamic body.
  void set_pose(BodyHandle body, const math::Pose& pose);
  void set_velocity(BodyHandle body, math::Vec3 linear, math::Vec3 angular);
  void set_awake(BodyHandle body, bool is_awake);
  void set_gravity_scale(BodyHandle body, float scale);
  void apply_impulse(BodyHandle body, math::Vec3 impulse, math::Position point);  // N·s
  void apply_central_impulse(BodyHandle body, math::Vec3 impulse);
  void apply_angular_impulse(BodyHandle body, math::Vec3 impulse);  // N·m·s
  /// Forces and torques last for the next step.
  void apply_force(BodyHandle body, math::Vec3 force, math::Position point);  // N
  void apply_central_force(BodyHandle body, math::Vec3 force);
  void apply_torque(BodyHandle body, math::Vec3 torque);  // N·m
  /// Kinematic: moves to reach `target` at the end of the next step.
  void move_kinematic(BodyHandle body, const math::Pose& target);

  /// By how many threads and with which instructions it steps: changes no result. The level must be
  /// supported (simd::is_supported).
  void set_execution(const Execution& execution);
  const Execution& execution() const;
  /// Measures the stages of each step; nullptr ends it. Called by all threads that step the world.
  void set_stage_clock(StageClock clock);

  /// Advances by options().step_seconds. The events of the step before are gone.
  void step();
  const StepStats& stats() const;
  /// The last step's stages in the order in which they ran; empty without a clock. Islands that are
  /// solved side by side make one span, Stage::SmallIslands.
  std::span<const StageSpan> stage_spans() const;
  /// For tests: called by each thread before each piece of parallel work, to shake the schedule.
  void set_schedule_disturbance(void (*disturbance)(int thread, std::uint32_t block));

  // What happened in the last step, each list sorted by handles.
  std::span<const ContactBegin> contact_begins() const;
  std::span<const ContactEnd> contact_ends() const;
  std::span<const ContactHit> contact_hits() const;
  std::span<const SensorBegin> sensor_begins() const;
  std::span<const SensorEnd> sensor_ends() const;
  std::span<const SleepChange> sleep_changes() const;
  std::span<const JointBreak> joint_breaks() const;
  /// The contacts that stand now, sorted by shape handles.
  std::vector<ContactView> contacts() const;
  /// Points of those of one body.
  std::size_t contact_point_count(BodyHandle body) const;
  /// The body and who is solved with it, sorted: they touch, are joined or act on each other by
  /// fields, directly or through others. Empty where it is not dynamic, or switched off.
  std::vector<BodyHandle> island(BodyHandle body) const;
  /// Who was inside of a sensor after the last step, by handles; calls since then may have taken
  /// some away.
  std::span<const ShapeHandle> sensor_overlaps(ShapeHandle sensor) const;

  // Queries see the world as the last step or call left it. Distances and radii must not be
  // negative. Those that take a list answer each of its entries, in their order, as the call for
  // one does; they do it on all of the world's threads (set_execution), so that no two of them may
  // run on one world at a time.
  std::optional<RayHit> cast_ray(const Ray& ray, const QueryFilter& filter) const;
  /// All hits, by (fraction, shape).
  std::vector<RayHit> cast_ray_all(const Ray& ray, const QueryFilter& filter) const;
  std::vector<std::optional<RayHit>> cast_rays(std::span<const Ray> rays,
                                               const QueryFilter& filter) const;
  /// The first shape that the moving one meets; what it overlaps from the start does not
  /// count, nor do the backs of triangles.
  /// `point` is where they touch, `normal` that of what is met.
  std::optional<RayHit> cast_shape(const ShapeCast& cast, const QueryFilter& filter) const;
  /// All that it meets on its way if nothing stops it, by (fraction, shape).
  std::vector<RayHit> cast_shape_all(const ShapeCast& cast, const QueryFilter& filter) const;
  std::vector<std::optional<RayHit>> cast_shapes(std::span<const ShapeCast> casts,
                                                 const QueryFilter& filter) const;
  /// The nearest shape within `max_distance`; of several, the one with the smallest handle.
  std::optional<NearHit> closest(const QueryShape& query, float max_distance,
                                 const QueryFilter& filter) const;
  /// All shapes within `max_distance`, by (distance, shape).
  std::vector<NearHit> closest_all(const QueryShape& query, float max_distance,
                                   const QueryFilter& filter) const;
  /// `closest` of each query.
  std::vector<std::optional<NearHit>> closest_of_each(std::span<const QueryShape> queries,
                                                      float max_distance,
                                                      const QueryFilter& filter) const;
  /// Shapes whose bounding boxes overlap `box`, by handle.
  std::vector<ShapeHandle> overlap_aabb(const math::Aabb& box, const QueryFilter& filter) const;
  std::vector<std::vector<ShapeHandle>> overlap_aabbs(std::span<const math::Aabb> boxes,
                                                      const QueryFilter& filter) const;
  /// Shapes that overlap the sphere exactly, by handle.
  std::vector<ShapeHandle> overlap_sphere(math::Position centre, float radius,
                                          const QueryFilter& filter) const;
  /// Shapes that have a point in common with the query's, by handle.
  std::vector<ShapeHandle> overlap_shape(const QueryShape& query, const QueryFilter& filter) const;
  std::vector<std::vector<ShapeHandle>> overlap_shapes(std::span<const QueryShape> queries,
                                                       const QueryFilter& filter) const;
  BodyHandle body_of(ShapeHandle shape) const;

  /// Everything that the next step reads, little-endian, the same bytes on every machine. Solids
  /// are referred to by their content's hash.
  void save(base::ByteWriter& writer) const;
  /// Replaces the whole world, options included. Unchanged on error; the bytes may be a stranger's.
  base::Result<base::Ok, RestoreError> restore(base::ByteReader& reader);
  StateHash hash() const;
  /// Every number that the hash covers, by name: for those who compare (state_listing.h).
  std::vector<StateNumber> list_state() const;
  /// Called within a step after Prepare, FindPairs, Collide, Solve, Sleep, Particles and
  /// FinishEvents, for those who ask in which of them two worlds part: list_state() and hash() may
  /// be called then, and nothing else. An empty function ends it.
  void set_stage_hook(std::function<void(Stage)> hook);
  /// Of one body alone: its fields and its sleep.
  std::uint64_t hash(BodyHandle body) const;
  /// Flips the last bit of one number of a body, named as list_state() does ("linear_velocity.y"):
  /// a fault on purpose, for those who look for such. False where the body has no such number, or
  /// would be no body with it; nothing has changed then.
  bool nudge(BodyHandle body, std::string_view field);
  /// Becomes what the other world is, as if it had taken all of its steps, but goes on stepping by
  /// its own means (set_execution, set_stage_clock). To go back to a kept copy costs what copying
  /// its memory does, a small part of a restore.
  void copy_from(const World& other);

 private:
  /// Shows what is in it (debug_draw.h).
  friend void debug_draw(const World& world, const DebugDrawOptions& options,
                         DebugDrawReceiver& receiver);

  std::unique_ptr<WorldState> state_;
};

}  // namespace jostle::physics
