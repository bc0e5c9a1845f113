#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// A sensor is a shape that touches nothing. It knows which shapes of other bodies overlap it: that
// is state, and each step reports what has changed of it.
//
// Sensors stand in a tree of their own, so that pairs, contacts and queries do not meet them. Who
// is inside is found after bodies have moved: shapes of bodies that are awake, or that calls have
// put elsewhere, ask the tree of sensors, and sensors that move ask the trees of shapes for what
// sleeps or stands. Of two that both stayed where they were nothing is asked. A world without
// sensors pays nothing, and what sleeps inside of one neither.
//
// Who was outside before the step and is outside after it, and has moved past the sensor by more
// than the thinner of the two is thick, is followed along its way: if that leads through, the step
// reports a begin and an end. Planes, meshes and height fields are not followed.

/// A new shape that is one. `shape` is its slot.
void add_sensor(WorldState& world, std::uint32_t shape);
/// A shape of a body that goes, is switched off or quarantined: who was inside leaves, and it
/// leaves those that it was in. The next step reports that.
void remove_from_sensors(WorldState& world, std::uint32_t shape);
/// A call has put the body elsewhere, or given it a shape.
void note_moved_for_sensors(WorldState& world, std::uint32_t body);
/// After bodies have moved.
void update_sensors(WorldState& world);

}  // namespace jostle::physics
