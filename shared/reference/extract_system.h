#pragma once

#include "shared/physics/world.h"
#include "shared/reference/system.h"

#include <vector>

namespace jostle::reference {

/// A System, with the handles of the world's objects that its parts were read from.
struct WorldReading {
  System system;
  std::vector<physics::BodyHandle> bodies;   // parallel to system.bodies
  std::vector<physics::JointHandle> joints;  // parallel to system.joints
  /// The views that system.contacts were read from, in the same order. Each view corresponds to one
  /// or more contacts, one per point.
  std::vector<physics::ContactView> contacts;
};

/// Returns the index of a body in system.bodies. The body must be in the reading.
std::size_t index_of(const WorldReading& reading, physics::BodyHandle body);

/// Reads the state of a world between two steps, through its public interface:
///
/// - The only external force is gravity. Gravity scales, forces queued for the next step, damping
///   and motion locks are not read; the caller sets their effects in the System.
/// - Contacts are those that the last step found; there are none before the first step. Their
///   positions are those at detection, so they lag by the motion of the bodies during that step;
///   their separations are current. Friction and restitution are combined as in the world
///   (physics::combine).
WorldReading extract_system(const physics::World& world);

}  // namespace jostle::reference
