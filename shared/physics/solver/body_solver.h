#pragma once

namespace jostle::physics {

struct Cluster;
struct WorldState;

/// Gives kinematic bodies the velocity that takes them to their targets within the step.
void aim_kinematic_bodies(WorldState& world);
/// Copies the active bodies into the solver's arrays and gives them their solver indices.
void prepare_bodies(Cluster& cluster);
/// After all constraints have claimed their bodies: the others fly freely.
void note_free_bodies(Cluster& cluster);
/// Gravity, forces, torques and damping of one substep; contact impulses of the substep before
/// are carried along, because M⁻¹Jᵀλ is just what the contacts changed then.
void integrate_velocities(Cluster& cluster);
/// After the impulses of the last step were applied to the bodies, before anything else acts.
void note_warm_start(Cluster& cluster);
void integrate_positions(Cluster& cluster);
/// Copies the results back, quarantines what is not finite, and keeps time of rest.
void finish_bodies(Cluster& cluster);

}  // namespace jostle::physics
