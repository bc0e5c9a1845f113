#pragma once

#include "shared/state/motion_locks.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Energy limiter (passivity). Joints without springs and motors do no work. If nothing else touches
// their bodies, the kinetic energy after a step is the energy before the step plus the work of
// gravity and forces. The joint solver achieves this up to an error that depends on the substep and
// oscillates as the bodies swing. But the error may grow if bodies turn by a large part of a radian
// in a substep, or if a limit or a rope stops heavy bodies. The energy is therefore checked after
// each step. Lost energy is recorded as credit, which a later gain may use up. A gain beyond the
// credit is removed at once.
//
//   v ← v₀ + s·(v − v₀),   s² = (E_allowed − E(v₀)) / (E(v) − E(v₀))
//
// If the group is joined to something immovable, v₀ = 0. Otherwise v₀ is the motion as one rigid
// body with the linear and angular momentum of v. With this v₀, the momenta are preserved, and the
// velocities still satisfy all joints. The formula for s follows from E(v) = E(v₀) + E(v − v₀): of
// all motions with the same momenta, the rigid one has the least energy. The limiter never adds
// energy.
//
// Contacts with immovable bodies and with each other do no work either, and friction takes energy.
// A group that contacts act on has no credit, because it loses energy for good. All bodies that
// joints and contacts connect then form one group, which is anchored if it touches something
// immovable. Warm starting, the correction of deep overlaps, and passes that do not converge would
// otherwise throw a wedged body out. Restitution is applied later and is not limited.
//
// The credit decays over time. Changing a joint, joining bodies that are apart, or moving a body
// does work. For some steps after such a call, nothing is removed (JointRecord::excuse).

/// A group of bodies that passive joints and contacts connect. At least one joint belongs to it.
struct PassiveGroup {
  std::uint32_t first = 0, last = 0;  // range in PassiveGroups::members
  std::uint32_t joint = 0;  // slot of the first joint, whose record stores the credit between steps
  bool is_anchored = false;  // true if a joint or contact connects it to something immovable
  bool is_touched = false;   // true if contacts act on it
  // the locks of all its bodies: none, or those that keep a body in a plane; unused if anchored
  state::MotionLocks locks = 0;
  double mass = 0;    // kg
  double energy = 0;  // kinetic energy at the start of the step, J (group_energy.h)
  double credit = 0;  // lost energy that may come back, J
};

/// Scratch data of one step.
struct PassiveGroups {
  std::vector<PassiveGroup> groups;
  std::vector<std::uint32_t> members;  // solver indices

  /// Bodies that joints and contacts connect. A set becomes a group if it has a joint and nothing
  /// drives it.
  struct Set {
    bool is_driven = false, is_anchored = false, is_touched = false, has_hidden_frame = false;
    std::uint32_t joint = 0xFFFFFFFFU;  // slot of the first joint
    std::uint32_t count = 0;            // number of bodies
    state::MotionLocks locks = 0;       // locks of the first body
    std::uint32_t group = 0xFFFFFFFFU;
    double mass = 0, credit = 0;  // kg, J
  };
  std::vector<Set> sets;                       // indexed by the solver index of the first body
  std::vector<std::uint32_t> parents, set_of;  // indexed by solver index
};

/// Finds the groups of a cluster and their energies. Call it after bodies and joints were prepared.
void find_passive_groups(Cluster& cluster);
/// Removes the energy that groups have gained beyond their credit. Call it after the last substep.
void keep_passive_energy(Cluster& cluster);

}  // namespace jostle::physics
