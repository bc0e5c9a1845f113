#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// A sensor is a shape that collides with nothing and records which shapes of other bodies overlap
// it. The overlaps are state, and each step reports their changes.
//
// Sensors have a separate tree, so that the search for pairs does not visit them. Overlaps are
// updated after the bodies have moved. Shapes of bodies that are awake, or that calls have moved,
// query the tree of sensors. Sensors that moved query the trees of shapes for sleeping and static
// shapes. A pair in which neither moved is not tested, so a world without sensors, or with only
// sleeping shapes inside them, costs nothing.
//
// Tunnelling: a shape that is outside a sensor before and after the step is swept along its motion.
// The sweep is needed only if the shape has moved relative to the sensor by more than the thickness
// of the thinner one. If the sweep hits the sensor, the step reports a begin and an end. Planes,
// meshes and height fields are not swept.

/// Adds a new shape that is a sensor. `shape` is its slot.
void add_sensor(WorldState& world, std::uint32_t shape);
/// Ends all overlaps of a shape, as a sensor and in sensors, when its body is destroyed, disabled
/// or quarantined. The next step reports the ends.
void remove_from_sensors(WorldState& world, std::uint32_t shape);
/// Marks a body as moved after a call has moved it or added a shape to it, and updates its sensors
/// in the tree.
void note_moved_for_sensors(WorldState& world, std::uint32_t body);
/// Updates all overlaps, after the bodies have moved.
void update_sensors(WorldState& world);

}  // namespace jostle::physics
