#pragma once

namespace jostle::physics {

struct WorldState;

/// Gives kinematic bodies the velocity that takes them to their targets within the step.
void aim_kinematic_bodies(WorldState& world);
/// Copies the active bodies into the solver's arrays and gives them their solver indices.
void prepare_bodies(WorldState& world);
/// After all constraints have claimed their bodies: the others fly freely.
void note_free_bodies(WorldState& world);
/// Gravity, forces, torques and damping of one substep; contact impulses of the substep before
/// are carried along, because M⁻¹Jᵀλ is just what the contacts changed then.
void integrate_velocities(WorldState& world);
/// After the impulses of the last step were applied to the bodies, before anything else acts.
void note_warm_start(WorldState& world);
void integrate_positions(WorldState& world);
/// Copies the results back, quarantines what is not finite, and keeps time of rest.
void finish_bodies(WorldState& world);

}  // namespace jostle::physics
