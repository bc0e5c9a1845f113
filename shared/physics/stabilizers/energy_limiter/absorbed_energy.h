#pragma once

namespace jostle::physics {

struct Cluster;

// The energy that an impact takes is the sum over all contacts that movable bodies connect. How the
// passes divide it among these contacts is arbitrary: a contact may do work on the bodies, which
// another one absorbs, or absorb energy by impulses that a later pass takes back. If each contact
// returned its own share, the bodies would gain or lose energy.

/// Divides the absorbed energy of contacts with restitution that dynamic bodies connect among those
/// that bounce, in proportion to the product of their impulse and approach speed. Call it before
/// restitution is applied.
void pool_absorbed_energy(Cluster& cluster);

}  // namespace jostle::physics
