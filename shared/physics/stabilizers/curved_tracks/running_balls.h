#pragma once

#include "shared/math/vec3.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Balls that run over the facets of immovable shapes, for example in a loop or a cone of a mesh.
//
// A solver substep satisfies all contacts at its end at once. If a ball passes from one facet to
// the next within a substep, this takes too much energy. For facets with the angle δ between them
// and a ball of speed v without restitution, the law is a loss of (v·sin δ)²/2 per kg. But the
// solver's facet ahead also takes the whole load of the substep, although the facet behind has
// carried the ball for a part of it, and of several facets in one substep only the last one acts.
//
// The motion of such a ball in a substep is therefore computed by events. Between two events the
// ball follows an exact parabola, in free flight or along the facets that it touches. At an event
// it loses its velocity into the facet that it meets. The solver still computes the impulses, and
// friction, which acts as a constant force.

/// A facet's plane in front of a ball.
struct RunFacet {
  math::Vec3 normal;  // unit, from the facet to the ball
  float height = 0;   // separation at the start of the step, m
};

/// A ball of one step whose motion is computed by events.
struct RunningBall {
  std::uint32_t body = 0;  // solver index
  std::uint32_t first_facet = 0, facet_count = 0;
  float friction_arm = 0;      // I/(m·r), m: velocity change by friction per change of spin
  math::Vec3 start;            // velocity at the start of the substep, m/s
  math::Vec3 moved;            // displacement since the start of the step, m
  math::Vec3 friction_change;  // velocity change by friction that the motion contains, m/s
  math::Vec3 up;               // normal of the facet that carries the ball
  math::Vec3 end;              // velocity at the end of the substep, m/s
};

struct RunningBalls {
  std::vector<RunningBall> balls;
  std::vector<RunFacet> facets;
};

/// Finds the balls of the step. A ball counts if it is not about to rest, touches only immovable
/// shapes, and nothing but gravity, forces and friction acts on it.
void find_running_balls(Cluster& cluster);

/// Notes the velocities of the balls at the start of a substep.
void note_running_balls(Cluster& cluster);

/// Replaces the displacements of the balls in the substep. Call it after integrate_positions.
void run_over_facets(Cluster& cluster);

/// Replaces the linear velocities of the balls at the end of the substep.
void finish_running_balls(Cluster& cluster);

}  // namespace jostle::physics
