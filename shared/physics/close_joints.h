#pragma once

namespace jostle::physics {

struct WorldState;

// Joints are solved by velocities, softly enough for their passes to be stable: what strikes them,
// or loads them with more than the masses of their bodies, leaves them open by millimetres and
// degrees, which the next steps bring back. Here the bodies of a mechanism with such joints are put
// where all its joints hold, without a change of their momenta: of all moves that close them, to
// first order, those with the least Σ m·x² + θᵀ·I·θ, where bodies between which nothing is open
// move as one (tree_closing.h). That is the nonlinear projection of Cline and Pai
// ("Post-stabilization for rigid body simulation with contact and constraints", 2003). Centres of
// mass stay but for what is held by bodies that do not move.
//
// Only mechanisms: trees of few bodies (mechanisms.h). And only what a step has opened: a joint
// that is made open, or whose limits or target are set anew, is closed by the solver, with speed
// and not at once.

/// After positions have moved, and impacts have stopped what they stop: that is held there.
void close_joints(WorldState& world);

}  // namespace jostle::physics
