#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// A listed contact as the solver sees it. Without manifolds it takes no part.
struct ActingContact {
  std::uint32_t contact = 0;   // slot
  std::uint32_t a = 0, b = 0;  // the bodies; 0 where nothing can move one
  std::uint16_t manifold_count = 0;
  std::uint8_t point_count = 0;  // of the first manifold
  std::uint8_t left_out = 0;     // manifolds, one bit each (flush_contacts.h)
  bool has_resistance = false, has_restitution = false, has_locks = false, has_belt = false;
  bool has_grip = false;
};

/// What belongs to a cluster: stretches of the lists of ClusterLists.
struct ClusterRange {
  std::uint32_t first_body = 0, body_count = 0;
  std::uint32_t first_contact = 0, contact_count = 0;
  std::uint32_t first_joint = 0, joint_count = 0;
  bool is_large = false;  // an island by itself, for all threads
};

struct Island {
  std::uint32_t body_count = 0, contact_count = 0, joint_count = 0;
  std::uint32_t cluster = 0;
};

/// Who is solved with whom in the step that runs (solver/clusters.h).
struct ClusterLists {
  std::vector<ClusterRange> ranges;
  std::vector<std::uint32_t> bodies;    // slots, cluster by cluster
  std::vector<ActingContact> contacts;  // likewise; a and b are solver indices
  std::vector<std::uint32_t> joints;    // slots, likewise

  // On the way there. Bodies are numbered by their places among the awake, from 1.
  std::vector<ActingContact> acting;        // of WorldState::awake_contacts, in their order
  std::vector<std::uint32_t> joined;        // beside WorldState::awake_joints: a body of each
  std::vector<std::uint32_t> first_body;    // of a body's island
  std::vector<Island> islands;              // at their first bodies
  std::vector<std::uint32_t> solver_index;  // of a body
};

/// How far a body went beyond what was to be expected of it (narrow_phase/stop_at_impacts.h).
enum class Throw : std::uint8_t { None, Near, Far };
struct ThrownBody {
  std::uint32_t body = 0;  // slot
  Throw how = Throw::None;
};

/// What the solver says of a body to the rest of the step.
struct SolvedBody {
  bool is_kinematic = false;
  bool is_sound = true;       // finite
  bool has_left_box = false;  // a fat box of its shapes
  bool may_sleep = false;     // by itself
  Throw thrown = Throw::None;
};

}  // namespace jostle::physics
