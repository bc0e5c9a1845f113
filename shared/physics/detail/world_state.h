#pragma once

#include "shared/base/handle_pool.h"
#include "shared/physics/broad_phase/aabb_tree.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/physics/detail/records.h"
#include "shared/physics/detail/runtime.h"
#include "shared/physics/field_effects.h"
#include "shared/physics/free_bodies.h"
#include "shared/physics/narrow_phase/collide.h"
#include "shared/physics/narrow_phase/fast_pairs.h"
#include "shared/physics/particles/particle_set.h"
#include "shared/physics/solver/cluster_arrays.h"
#include "shared/physics/solver/cluster_lists.h"
#include "shared/physics/step_stats.h"
#include "shared/physics/world.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace jostle::physics {

/// Two shapes whose fat boxes overlap. `axis` is state where it is not zero: what is found to be
/// apart along it is not looked at further.
struct ListedPair {
  /// Came near, but is not to have a contact; it is dropped when the list is next looked at.
  static constexpr std::uint32_t refused = no_index - 1;

  std::uint64_t key = 0;
  std::uint32_t contact = no_index;  // slot, of those that have points
  math::Vec3 axis;  // unit, from a to b: they were apart along it; or zero where none is known

  std::uint32_t shape_a() const { return static_cast<std::uint32_t>(key >> 32); }
  std::uint32_t shape_b() const { return static_cast<std::uint32_t>(key); }
};

/// A pair on its way into the list.
struct FoundPair {
  std::uint64_t key = 0;
  std::uint32_t contact = no_index;  // slot, of one that stood while both bodies slept
};

/// An entry of the list of pairs, and then of contacts, that a step looks at. It repeats what
/// decides whether the contact itself must be fetched.
struct ListedContact {
  std::uint64_t key = 0;
  std::uint32_t index = no_index;  // slot of the contact
  std::uint32_t pair = no_index;   // place in WorldState::pairs; unknown of what has just woken
  std::uint8_t point_count = 0;    // of all manifolds
  bool has_points = false;
  bool is_touching = false;  // when the narrow phase looked; the solver may have found it since

  std::uint32_t shape_a() const { return static_cast<std::uint32_t>(key >> 32); }
  std::uint32_t shape_b() const { return static_cast<std::uint32_t>(key); }
};

/// What one piece of the list of pairs came to. Each piece of parallel work writes its own, and
/// what they hold is taken in the order of the list.
struct PairPiece {
  std::uint32_t kept = 0;  // pairs, now at the front of the piece
  std::vector<ListedContact> near;
  std::vector<std::uint32_t> ended;  // contacts
};

/// The same for a piece of the list of near pairs, beside the contacts themselves.
struct CollisionPiece {
  struct Begun {
    std::uint32_t entry = 0;
    Contact contact;
  };
  std::vector<Begun> begun;                    // contacts to be made
  std::vector<std::uint32_t> ended;            // contacts
  std::vector<std::uint32_t> beside_sleepers;  // entries with points, one body of which sleeps
  std::vector<FastPair> fast_pairs;
  std::vector<ContactBegin> begins;
  std::vector<ContactEnd> ends;
  SurfaceScratch surface;
  Contact fresh;  // what is found of the pair at hand
};

/// By content hash.
using SolidRegistry = std::map<std::uint64_t, std::shared_ptr<const state::Solid>>;

/// What a world carries from one step to the next, and nothing else: a copy of it is the world at
/// that time. What World::save writes is the state; the rest is rebuilt from it by World::restore,
/// in an order that cannot reach results.
struct WorldContent {
  WorldOptions options;
  base::HandlePool<BodyTag> body_pool;
  base::HandlePool<ShapeTag> shape_pool;
  std::vector<Body> bodies;         // by slot
  std::vector<ShapeRecord> shapes;  // by slot
  std::vector<ShapeBounds> bounds;  // by shape slot; follows from bodies and shapes
  std::vector<ShapePlace> places;   // likewise
  bool are_all_changed = false;     // by a call: gravity is another
  bool has_locks = false;           // of any body that is or was
  bool has_integrators = false;     // of any body that is or was
  bool has_belts = false;           // likewise, of any shape a surface that runs

  bool has_materials = false;  // likewise: that say more than visit_shape tells of them
  std::vector<MaterialPair> material_pairs;  // by (a, b)

  /// What a save may refer to. No state: it decides only what can be restored.
  SolidRegistry solids;

  /// By slot; which slot a contact has reaches no result.
  std::vector<Contact> contacts;
  std::vector<std::uint32_t> free_contacts;
  std::uint32_t contact_count = 0;

  /// Pairs of which at least one body is active, by key; and the contacts of those that have
  /// points, as of the last step (broad_phase/pair_list.h).
  std::vector<ListedPair> pairs;
  std::vector<ListedContact> awake_contacts;
  /// Bodies that have become active and whose pairs are not all listed yet.
  std::vector<std::uint32_t> woken_bodies;
  /// Active bodies by slot, once `sort_awake_bodies` has run.
  std::vector<std::uint32_t> awake_bodies;
  bool is_awake_list_dirty = false;
  /// Those of them to which calls have done something since the last step, as of its beginning.
  std::vector<std::uint32_t> changed_bodies;

  base::HandlePool<JointTag> joint_pool;
  std::vector<JointRecord> joints;  // by slot
  /// Joints of which at least one body is active, by slot, once `sort_awake_joints` has run.
  std::vector<std::uint32_t> awake_joints;
  bool is_joint_list_dirty = false;
  bool is_forest_stale = false;  // JointRecord::tree must be found anew

  base::HandlePool<FieldTag> field_pool;
  std::vector<FieldDef> fields;              // by slot
  std::vector<std::uint32_t> bonded_bodies;  // with charges or poles, by slot; follows
  std::uint32_t bond_count = 0;              // of fields by which those move each other; follows

  base::HandlePool<ParticleSetTag> particle_pool;
  std::vector<ParticleSet> particle_sets;  // by slot

  AabbTree static_tree, moving_tree, sensor_tree;
  std::vector<SensorRecord> sensors;  // by slot (sensors.h)
  /// Bodies that calls have moved since the last step, by slot; all of them after a restore.
  std::vector<std::uint32_t> moved_for_sensors;
  bool are_sensors_stale = false;
  std::vector<std::uint32_t> planes;        // static shapes without bounds, by slot
  std::vector<std::uint32_t> moved_shapes;  // those with is_moved

  /// Contacts that ended by calls since the last step; the next step reports them.
  std::vector<ContactEnd> pending_ends;
  std::vector<SensorEnd> pending_sensor_ends;  // likewise
  std::vector<BodyHandle> maybe_changed_sleep;

  std::uint32_t quarantined_count = 0;
  std::uint32_t switched_off_count = 0;  // bodies

  std::vector<ContactBegin> begins;
  std::vector<ContactEnd> ends;
  std::vector<ContactHit> hits;
  std::vector<SensorBegin> sensor_begins;
  std::vector<SensorEnd> sensor_ends;
  std::vector<SleepChange> sleep_changes;
  std::vector<JointBreak> joint_breaks;
  StepStats stats;
};

/// Everything a world is.
struct WorldState : WorldContent {
  Runtime runtime;

  // Of the step that runs.
  std::vector<FieldEffect> field_effects;  // by body slot
  std::uint32_t field_pass = 0;            // counts steps with fields
  ClusterLists clusters;
  ClusterArrays large_cluster;  // solved one after the other, each by all threads
  std::vector<std::unique_ptr<ClusterArrays>> small_clusters;  // by thread, in no order
  std::vector<SolvedBody> solved;                              // beside awake_bodies
  std::vector<math::Pose> starts;  // likewise: of the centre of mass, before the step
  std::vector<ThrownBody> thrown;
  std::vector<FreeStart> free_starts;    // of bodies with an integrator, by slot
  std::vector<StepStart> bearer_starts;  // by slot; of bonded_bodies, while there are free_starts
  std::vector<bool> is_island_restless;

  std::vector<std::vector<std::uint32_t>> changed_pieces;
  std::vector<PairPiece> pair_pieces;
  std::vector<std::vector<FoundPair>> found_pieces;
  std::vector<CollisionPiece> collision_pieces;
  std::vector<FastPair> fast_pairs;  // of the step that runs
  std::vector<FoundPair> found_pairs, found_scratch;
  std::vector<std::uint32_t> index_scratch;
};

inline bool is_active(const Body& body) {
  return body.is_awake && body.motion != MotionType::Static;
}
/// The name of a body in the arrays of its cluster: 0 where nothing can move it.
inline std::uint32_t solver_index(const Body& body) {
  return is_active(body) ? body.solver_index : 0;
}
inline bool is_dynamic(const Body& body) {
  return body.motion == MotionType::Dynamic;
}

/// The pose of the body's frame; Body::position is that of its centre of mass.
inline math::Pose frame_pose(const Body& body) {
  return {body.position - rotate(body.rotation, body.local_centre), body.rotation};
}
inline math::Pose shape_pose(const Body& body, const ShapeRecord& shape) {
  const math::Transform& local = shape.def.local;
  return {body.position + rotate(body.rotation, local.offset - body.local_centre),
          body.rotation * local.rotation};
}
inline math::Mat3 world_tensor(const math::Mat3& local, math::Quat rotation) {
  const math::Mat3 r = to_matrix(rotation);
  return r * local * transpose(r);
}

}  // namespace jostle::physics
