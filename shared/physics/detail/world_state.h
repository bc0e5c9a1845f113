#pragma once

#include "shared/base/handle_pool.h"
#include "shared/physics/broad_phase/aabb_tree.h"
#include "shared/physics/collision/collide.h"
#include "shared/physics/continuous/fast_pairs.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/physics/detail/records.h"
#include "shared/physics/detail/runtime.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/effects/free_bodies.h"
#include "shared/physics/effects/particle_set.h"
#include "shared/physics/islands/cluster_lists.h"
#include "shared/physics/solver/cluster_arrays.h"
#include "shared/physics/step_stats.h"
#include "shared/physics/world.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace jostle::physics {

/// Two shapes whose fat AABBs overlap. A non-zero `axis` is state: as long as the shapes are found
/// to be separated along it, the narrow phase skips the pair.
struct ListedPair {
  /// Value of `contact` for a pair whose shapes are near but must not collide (may_pair). The pair
  /// is removed when the list of pairs is processed next.
  static constexpr std::uint32_t refused = no_index - 1;

  std::uint64_t key = 0;
  // slot; `no_index` for a pair without contact points; or `refused`
  std::uint32_t contact = no_index;
  math::Vec3 axis;  // unit separating axis from a to b; zero if none is known

  std::uint32_t shape_a() const { return static_cast<std::uint32_t>(key >> 32); }
  std::uint32_t shape_b() const { return static_cast<std::uint32_t>(key); }
};

/// A pair that is about to be inserted into the list of pairs.
struct FoundPair {
  std::uint64_t key = 0;
  /// Slot of a contact that existed while both bodies slept, or `no_index`.
  std::uint32_t contact = no_index;
};

/// A near pair or a contact of the current step. Contains copies of the values that decide whether
/// the contact itself must be read.
struct ListedContact {
  std::uint64_t key = 0;
  std::uint32_t index = no_index;  // slot of the contact
  /// Index in WorldState::pairs; `no_index` for pairs whose bodies woke in this step.
  std::uint32_t pair = no_index;
  std::uint8_t point_count = 0;  // number of points in all manifolds
  bool has_points = false;
  /// True if the narrow phase found the pair to touch; the solver may have set Contact::is_touching
  /// since.
  bool is_touching = false;
  /// True if a fat AABB of the pair has changed, or anything else that may forbid the pair.
  bool has_moved = false;

  std::uint32_t shape_a() const { return static_cast<std::uint32_t>(key >> 32); }
  std::uint32_t shape_b() const { return static_cast<std::uint32_t>(key); }
};

/// The result of processing one block of the list of pairs. Each block of parallel work writes a
/// separate result; the results are merged in the order of the list.
struct PairPiece {
  std::uint32_t kept = 0;  // number of pairs kept, at the front of the block
  std::vector<ListedContact> near;
  std::vector<std::uint32_t> ended;  // contacts
};

/// The result of processing one block of near pairs, besides the contacts themselves.
struct CollisionPiece {
  struct Begun {
    std::uint32_t entry = 0;
    Contact contact;
  };
  std::vector<Begun> begun;          // contacts to be created
  std::vector<std::uint32_t> ended;  // contacts
  // indices of entries that have points and a sleeping body
  std::vector<std::uint32_t> beside_sleepers;
  std::vector<FastPair> fast_pairs;
  std::vector<ContactBegin> begins;
  std::vector<ContactEnd> ends;
  SurfaceScratch surface;
  std::uint64_t updates = 0;  // number of pairs whose contact points were computed
  Contact fresh;              // contact of the pair being processed
};

/// Registered geometry by content hash.
using SolidRegistry = std::map<std::uint64_t, std::shared_ptr<const state::Solid>>;

/// Everything that a world keeps from one step to the next; a copy of it is a copy of the world.
/// World::save writes the part that is state. World::restore rebuilds the rest from it, in an order
/// that cannot affect results.
struct WorldContent {
  bool uses(Stabilizer stabilizer) const { return options.stabilizers.has(stabilizer); }

  WorldOptions options;
  base::HandlePool<BodyTag> body_pool;
  base::HandlePool<ShapeTag> shape_pool;
  std::vector<Body> bodies;         // indexed by slot
  std::vector<ShapeRecord> shapes;  // indexed by slot
  std::vector<ShapeBounds> bounds;  // indexed by shape slot; derived from bodies and shapes
  std::vector<ShapePlace> places;   // indexed by shape slot; derived from bodies and shapes
  bool are_all_changed = false;     // true after a call that changed gravity
  bool has_locks = false;           // true if any body has or had locks
  bool has_integrators = false;     // true if any body has or had an integrator
  bool has_belts = false;           // true if any shape has or had a surface velocity

  bool has_materials = false;  // true if any material has or had rare values (has_rare_values)
  std::vector<MaterialPair> material_pairs;  // sorted by the pair (a, b)

  /// Geometry that a save may refer to. Not part of the state: it only decides which saves can be
  /// restored.
  SolidRegistry solids;

  /// Contacts by slot. The slot of a contact affects no result.
  std::vector<Contact> contacts;
  std::vector<std::uint32_t> free_contacts;
  std::uint32_t contact_count = 0;

  /// `pairs` holds the pairs with at least one active body, sorted by key. `awake_contacts` holds
  /// the pairs among them that had contact points in the last step (broad_phase/pair_list.h).
  std::vector<ListedPair> pairs;
  std::vector<ListedContact> awake_contacts;
  /// Bodies that have become active and whose pairs are not all listed yet.
  std::vector<std::uint32_t> woken_bodies;
  /// Active bodies, sorted by slot after `sort_awake_bodies`.
  std::vector<std::uint32_t> awake_bodies;
  bool is_awake_list_dirty = false;
  /// Active bodies that are prepared one by one at the beginning of the step. Calls have changed
  /// them, they have a kinematic target, or they are faster than the speed limits. After a change
  /// of gravity these are all active bodies.
  std::vector<std::uint32_t> changed_bodies;

  base::HandlePool<JointTag> joint_pool;
  std::vector<JointRecord> joints;  // indexed by slot
  /// Joints with at least one active body, sorted by slot after `sort_awake_joints`.
  std::vector<std::uint32_t> awake_joints;
  bool is_joint_list_dirty = false;
  bool is_forest_stale = false;  // JointRecord::tree must be recomputed

  base::HandlePool<FieldTag> field_pool;
  std::vector<ForceFieldDef> fields;         // indexed by slot
  std::vector<std::uint32_t> bonded_bodies;  // bodies with charges or poles, by slot; derived
  std::uint32_t bond_count = 0;  // number of fields through which bodies act on each other; derived

  base::HandlePool<ParticleSetTag> particle_pool;
  std::vector<ParticleSet> particle_sets;  // indexed by slot

  AabbTree static_tree, moving_tree, sensor_tree;
  std::vector<SensorRecord> sensors;  // sorted by slot (sensors.h)
  /// Bodies that calls have moved since the last step, by slot. While `are_sensors_stale` is true,
  /// all bodies count as moved.
  std::vector<std::uint32_t> moved_for_sensors;
  bool are_sensors_stale = false;
  std::vector<std::uint32_t> planes;        // plane shapes, which have no bounds, by slot
  std::vector<std::uint32_t> moved_shapes;  // shapes with `is_moved` set

  /// Ends of touching contacts that are not reported yet, by calls and by the current step. The end
  /// of the step reports them.
  std::vector<ContactEnd> pending_ends;
  std::vector<SensorEnd> pending_sensor_ends;  // sensor ends that are not reported yet
  std::vector<BodyHandle> maybe_changed_sleep;

  std::uint32_t quarantined_count = 0;
  std::uint32_t disabled_count = 0;  // bodies

  std::vector<ContactBegin> begins;
  std::vector<ContactEnd> ends;
  std::vector<ContactHit> hits;
  std::vector<SensorBegin> sensor_begins;
  std::vector<SensorEnd> sensor_ends;
  std::vector<SleepChange> sleep_changes;
  std::vector<JointBreak> joint_breaks;
  StepStats stats;
};

/// A world: its content, its runtime, and data of the current step.
struct WorldState : WorldContent {
  Runtime runtime;

  // Valid during the current step only.
  std::vector<FieldEffect> field_effects;  // indexed by body slot
  std::uint32_t field_pass = 0;            // number of steps with fields
  ClusterLists clusters;                   // batches of islands (islands/clusters.h)
  ClusterArrays large_cluster;  // used by the large clusters, one after the other, on all threads
  std::vector<std::unique_ptr<ClusterArrays>> small_clusters;  // one set of arrays for each thread
  std::vector<SolvedBody> solved;                              // parallel to `awake_bodies`
  /// Poses of the centres of mass before the step; parallel to `awake_bodies`.
  std::vector<math::Pose> starts;
  /// Sums of the rotation vectors of the substeps, rad; parallel to `awake_bodies`.
  std::vector<math::Vec3> turns;
  std::vector<ThrownBody> thrown;
  std::vector<IslandPath> paths;       // paths of islands that may be refined, in no certain order
  std::vector<FreeStart> free_starts;  // bodies with an integrator, sorted by slot
  // indexed by slot; used for `bonded_bodies` if there are `free_starts`
  std::vector<StepStart> bearer_starts;
  std::vector<bool> is_island_restless;

  std::vector<std::vector<std::uint32_t>> changed_pieces;
  std::vector<PairPiece> pair_pieces;
  std::vector<std::vector<FoundPair>> found_pieces;
  std::vector<CollisionPiece> collision_pieces;
  std::vector<FastPair> fast_pairs;  // fast pairs of the current step
  std::vector<FoundPair> found_pairs, found_scratch;
  std::vector<std::uint32_t> index_scratch;
};

inline bool is_active(const Body& body) {
  return body.is_awake && body.motion != MotionType::Static;
}
/// Returns the index of a body in the arrays of its cluster; 0, the immovable body, if it is not
/// active.
inline std::uint32_t solver_index(const Body& body) {
  return is_active(body) ? body.solver_index : 0;
}
inline bool is_dynamic(const Body& body) {
  return body.motion == MotionType::Dynamic;
}

/// Returns the pose of the body's frame. Body::position is that of the centre of mass.
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
