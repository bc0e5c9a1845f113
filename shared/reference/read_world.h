#pragma once

#include "shared/physics/world.h"
#include "shared/reference/system.h"

#include <vector>

namespace jostle::reference {

/// A System, and whose picture its parts are.
struct WorldReading {
  System system;
  std::vector<physics::BodyHandle> bodies;   // of system.bodies
  std::vector<physics::JointHandle> joints;  // of system.joints
  /// The views that system.contacts come from, each with as many contacts as it has points, in this
  /// order.
  std::vector<physics::ContactView> contacts;
};

/// Where in system.bodies a body of the world stands. It must be there.
std::size_t index_of(const WorldReading& reading, physics::BodyHandle body);

/// Reads a world as it stands between two steps, through what it shows to everyone:
///
/// - forces from outside are its gravity. A world does not show gravity scales, nor forces that
///   wait for the next step, nor damping, nor which rotations are locked: what has such, the caller
///   sets in the System;
/// - contacts are those that the last step found, none before the first one, and lie where it found
///   them: they lag behind by what the bodies moved in it, their separations do not. Friction and
///   restitution are combined from the materials as physics::Material says.
WorldReading read_world(const physics::World& world);

}  // namespace jostle::reference
