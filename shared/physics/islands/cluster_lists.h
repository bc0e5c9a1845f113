#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Data of a listed contact that the solver needs. If `manifold_count` is 0, the contact does not
/// act.
struct ActingContact {
  std::uint32_t contact = 0;   // slot
  std::uint32_t a = 0, b = 0;  // numbers of the bodies; 0 for a body that is not active
  // Manifolds at internal edges, which are skipped, one bit each (flush_contacts.h).
  std::uint32_t left_out = 0;
  std::uint16_t manifold_count = 0;
  std::uint8_t point_count = 0;  // number of points of the first manifold
  bool has_resistance = false, has_restitution = false, has_locks = false, has_belt = false;
  bool has_grip = false;
  bool is_grounded = false;  // true if one of its bodies is not dynamic
  bool is_uneven = false;    // true if the masses of its bodies are uneven (squeezed_bodies.h)
  // True if its bodies approach so fast that an impact may squeeze one (squeezed_bodies.h).
  bool is_fast = false;

  /// Returns the number of a body of the contact that is active.
  std::uint32_t moving_body() const { return a != 0 ? a : b; }
};

/// Ranges of one cluster in the lists of ClusterLists.
struct ClusterRange {
  std::uint32_t first_body = 0, body_count = 0;
  std::uint32_t first_contact = 0, contact_count = 0;
  std::uint32_t first_joint = 0, joint_count = 0;
  bool is_large = false;        // true for a single large island that all threads solve together
  bool may_be_refined = false;  // Island::may_be_refined of its only island
  // True if its only island has uneven contacts, fast ones and grounded ones.
  bool may_be_squeezed = false;
};

struct Island {
  std::uint32_t body_count = 0, contact_count = 0, joint_count = 0;
  std::uint32_t cluster = 0;
  bool may_be_refined =
      false;  // true if it may have more substeps (stabilizers/adaptive_substeps/refine_islands.h)
  bool bounces = false;      // true if a contact has restitution
  bool is_uneven = false;    // true if a contact has ActingContact::is_uneven
  bool is_fast = false;      // true if a contact has ActingContact::is_fast
  bool is_grounded = false;  // true if a contact has ActingContact::is_grounded
  // True if something takes up energy: a contact without restitution, limits, motors or springs.
  bool is_damped = false;
};

/// Assignment of awake bodies, contacts and joints to clusters in the current step
/// (islands/clusters.h).
struct ClusterLists {
  std::vector<ClusterRange> ranges;
  std::vector<std::uint32_t> bodies;    // body slots, cluster by cluster
  std::vector<ActingContact> contacts;  // cluster by cluster; a and b are solver indices
  std::vector<std::uint32_t> joints;    // joint slots, cluster by cluster

  // Intermediate results. A body's number is its index among the awake bodies, plus 1.
  std::vector<ActingContact> acting;  // the acting contacts of WorldState::awake_contacts, in order
  // Parallel to WorldState::awake_joints: number of one active body of each joint.
  std::vector<std::uint32_t> joined;
  // indexed by body number: number of the first body of its island
  std::vector<std::uint32_t> first_body;
  // Parallel to WorldState::awake_bodies: 1 if all its contact normals are about equal
  // (flush_contacts.h).
  std::vector<std::uint8_t> one_normal;
  std::vector<Island> islands;              // indexed by the number of the island's first body
  std::vector<std::uint32_t> solver_index;  // indexed by body number
};

/// Degree to which a body moved farther than its velocity had predicted
/// (continuous/stop_at_impacts.h).
enum class Throw : std::uint8_t { None, Near, Far };
struct ThrownBody {
  std::uint32_t body = 0;  // slot
  Throw how = Throw::None;
};

/// Results for one body that the rest of the step needs after the solver.
struct SolvedBody {
  bool is_kinematic = false;
  bool is_sound = true;       // false if the state is not finite or out of bounds
  bool has_left_box = false;  // true if a shape has left its enlarged AABB
  bool may_sleep = false;     // true if the body itself has been slow for long enough
  Throw thrown = Throw::None;
};

}  // namespace jostle::physics
