#pragma once

namespace jostle::physics {

struct Cluster;
struct PassiveGroup;

/// Kinetic, in J; of what is not anchored against its middle.
double energy_of(const Cluster& cluster, const PassiveGroup& group);
/// Of gravity and forces over the way of the step that ends, in J, in the same frame. What damping
/// takes is left out.
double work_on(const Cluster& cluster, const PassiveGroup& group);
/// Takes motion away, by the rule of passive_groups.h, until the energy is `left` J, or as near to
/// that as momenta let it.
void slow_group(Cluster& cluster, const PassiveGroup& group, double left);

}  // namespace jostle::physics
