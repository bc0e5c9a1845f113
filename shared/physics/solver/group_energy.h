#pragma once

namespace jostle::physics {

struct Cluster;
struct PassiveGroup;

/// Kinetic, in J.
double energy_of(const Cluster& cluster, const PassiveGroup& group);
/// Of gravity, forces and damping over the way of the step that ends, in J.
double work_on(const Cluster& cluster, const PassiveGroup& group);
/// Takes motion away, by the rule of passive_groups.h, until the energy is `left` J, or as near to
/// that as momenta let it.
void slow_group(Cluster& cluster, const PassiveGroup& group, double left);

}  // namespace jostle::physics
