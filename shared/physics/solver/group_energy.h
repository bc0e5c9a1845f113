#pragma once

namespace jostle::physics {

struct Cluster;
struct PassiveGroup;

/// Returns the kinetic energy in J. For a group that is not anchored, it is relative to the centre
/// of mass.
double energy_of(const Cluster& cluster, const PassiveGroup& group);
/// Returns the work of gravity and forces over the motion of the step that ends, in J, in the same
/// frame as energy_of. Losses by damping are left out.
double work_on(const Cluster& cluster, const PassiveGroup& group);
/// Slows the group down by the rule of passive_groups.h until its energy is `left` J, or as near to
/// that as its momenta allow.
void slow_group(Cluster& cluster, const PassiveGroup& group, double left);

}  // namespace jostle::physics
