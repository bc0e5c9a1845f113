#pragma once

#include "shared/forces/force_field.h"
#include "shared/forces/point_action.h"

namespace jostle::forces {

/// Returns the potential energy of a point in a central law: J per unit of the property that the
/// law acts on. Its gradient is −central(law, ·). With E the exponent and R² = r² + softening² it
/// is
///
///   strength/((E − 1)·R^(E − 1)),   and −strength·ln R for E = 1
///
/// so it vanishes at infinity for E > 1, and at the centre for E < 1 without softening. Beyond the
/// law's outer radius it is 0: the energy of a point that leaves is lost, as in a spring that
/// breaks.
double potential(const CentralLaw& law, math::Vec3d from_centre);

/// Returns the potential energy of a point in a field, J. A pole's point is taken as a point in the
/// world. The energy is zero for fields without a potential: wind, drag, fluids, thrust, charges,
/// and accelerations that are limited to a region.
double potential(const ForceField& field, const PointMass& point);

}  // namespace jostle::forces
