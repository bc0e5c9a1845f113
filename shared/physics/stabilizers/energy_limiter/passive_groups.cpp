#include "shared/physics/stabilizers/energy_limiter/passive_groups.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/stabilizers/energy_limiter/group_energy.h"

namespace jostle::physics {
namespace {

/// Gain of energy that rounding may cause: the share `tolerated_share` of the energy, plus
/// `tolerated_motion`, J/kg, which matters for bodies that hardly move.
constexpr double tolerated_share = 1e-6, tolerated_motion = 1e-8;
/// Share of the credit that is left after one second.
constexpr double credit_kept = 0.97;

/// Limit above which a credit counts as boundless. A boundless credit shrinks to a tenth in each
/// step, so that it lasts about ten steps. Within these steps, the joint solver corrects the
/// positions of bodies that a call has moved.
constexpr double boundless = 1e-10 * static_cast<double>(JointRecord::boundless_credit);

/// Adds lost energy to the credit and takes gained energy from it. Slows the group down if the
/// credit does not suffice. Does nothing while the credit is boundless. `allowed` is the energy
/// before the step plus the work of gravity and forces, in J.
void settle(Cluster& cluster, PassiveGroup& group, double allowed) {
  if (group.credit > boundless) return;
  group.credit = (group.is_touched ? 0 : group.credit) + allowed - group.energy;
  const double tolerated = tolerated_share * group.energy + tolerated_motion * group.mass;
  if (group.is_touched) group.credit = math::min_of(group.credit, 0.0);
  if (!(group.credit < -tolerated)) return;
  slow_group(cluster, group, group.energy + group.credit);
  group.credit = 0;
}

/// Returns the credit that is stored for the next step: `credit` after the decay in `seconds`.
float left_of(double credit, double seconds) {
  if (credit <= 0) return static_cast<float>(credit);
  if (credit <= boundless) return static_cast<float>(credit * (1 - (1 - credit_kept) * seconds));
  const double left = 0.1 * credit;
  return left > boundless ? math::min_of(static_cast<float>(left), JointRecord::boundless_credit)
                          : 0.0f;
}

}  // namespace

void keep_passive_energy(Cluster& cluster) {
  const double seconds = static_cast<double>(cluster.world.options.step_seconds);
  for (PassiveGroup& group : cluster.joint_solver.passive.groups) {
    const double allowed = group.energy + work_on(cluster, group);
    group.energy = energy_of(cluster, group);
    settle(cluster, group, allowed);
    cluster.world.joints[group.joint].energy_credit = left_of(group.credit, seconds);
  }
}

}  // namespace jostle::physics
