#pragma once

#include "shared/state/locks.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Joints without springs and motors do no work: of bodies that nothing else touches, kinetic energy
// after a step is what it was, and the work of gravity and forces. What solves joints keeps to that
// within an error of the substep's order, which comes and goes as they swing; but where bodies turn
// by a large part of a radian in a substep, or where a limit or a rope meets much that is heavy by
// a bad lever, it may feed itself. So energy is reckoned after each step. What goes is noted, and
// may come back; what comes beyond that is taken away at once:
//
//   v ← v₀ + s·(v − v₀),   s² = (E_allowed − E(v₀)) / (E(v) − E(v₀))
//
// with v₀ = 0 for what hangs on something immovable, and else the motion as one rigid body that has
// the linear and angular momentum of v. That leaves these, and all that joints ask of velocities,
// as they are; and E(v) = E(v₀) + E(v − v₀), since by the same momenta no motion has less energy
// than the rigid one. Nothing is ever added.
//
// What goes is forgotten in time. Who changes a joint, or makes one of what is apart, or puts a
// body elsewhere, does work: for some steps nothing is taken.

/// Bodies that passive joints hold together, and nothing else touches.
struct PassiveGroup {
  std::uint32_t first = 0, last = 0;  // of PassiveGroups::members
  std::uint32_t joint = 0;            // slot of the first, which keeps the credit between steps
  bool is_anchored = false;           // by a joint to what is immovable
  state::Locks locks = 0;             // of what is not: those of a plane, or none
  double mass = 0;                    // kg
  double energy = 0;                  // J, group_energy.h, at the beginning of the step
  double credit = 0;                  // J: what went and may come back
};

/// Scratch of one step.
struct PassiveGroups {
  std::vector<PassiveGroup> groups;
  std::vector<std::uint32_t> members;  // solver indices

  /// What joints hold together, whether or not it is a group.
  struct Set {
    bool is_driven = false, is_anchored = false, has_hidden_frame = false;
    std::uint32_t joint = 0xFFFFFFFFU;  // slot of the first
    std::uint32_t count = 0;            // of bodies
    state::Locks locks = 0;             // of the first
    std::uint32_t group = 0xFFFFFFFFU;
    double mass = 0, credit = 0;  // kg, J
  };
  std::vector<Set> sets;                       // by the solver index of their first bodies
  std::vector<std::uint32_t> parents, set_of;  // by solver index
};

/// Finds the groups of a cluster, with their energies. After bodies and joints were prepared.
void find_passive_groups(Cluster& cluster);
/// After the last substep.
void keep_passive_energy(Cluster& cluster);

}  // namespace jostle::physics
