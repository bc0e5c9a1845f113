#pragma once

namespace jostle::physics {

struct Cluster;
struct PassiveGroup;

/// Returns the kinetic energy of a group in J. For a group that is not anchored, it is relative to
/// the group's centre of mass.
double energy_of(const Cluster& cluster, const PassiveGroup& group);
/// Returns the work of gravity and forces on a group during the step, in J, in the same frame as
/// energy_of. Losses by damping are not included.
double work_on(const Cluster& cluster, const PassiveGroup& group);
/// Slows the group down by the rule of passive_groups.h, so that its kinetic energy becomes `left`,
/// in J. If the rigid motion with the group's momenta has more energy than that, the group gets
/// this rigid motion.
void slow_group(Cluster& cluster, const PassiveGroup& group, double left);

}  // namespace jostle::physics
