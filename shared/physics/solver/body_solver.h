#pragma once

namespace jostle::physics {

struct Cluster;
struct WorldState;

/// Sets the velocities of kinematic bodies so that they reach their targets within the step, or to
/// zero if they reached them in the previous step.
void aim_kinematic_bodies(WorldState& world);
/// Copies the active bodies into the solver's arrays and gives them their solver indices.
void prepare_bodies(Cluster& cluster);
/// Sets BodyBlock::is_free of all bodies. Call it after contacts and joints have been prepared.
void note_free_bodies(Cluster& cluster);
/// Applies gravity, forces, torques and damping for one substep. Also warm starts the contacts:
/// adds M⁻¹Jᵀλ, the velocity change by contacts in the previous substep, extrapolated by momentum
/// (contact_solver.h).
void integrate_velocities(Cluster& cluster);
/// Records the velocity change by warm starting. Call it after the impulses of the last step were
/// applied to the bodies, before anything else acts.
void note_warm_start(Cluster& cluster);
/// Moves and turns the bodies by their velocities over one substep.
void integrate_positions(Cluster& cluster);
/// Copies the results back to the bodies and updates the sleep timers. A body whose state is not
/// finite or out of bounds gets its previous pose, and SolvedBody::is_sound becomes false.
void finish_bodies(Cluster& cluster);

}  // namespace jostle::physics
