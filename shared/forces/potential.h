#pragma once

#include "shared/forces/force_field.h"
#include "shared/forces/point_action.h"

namespace jostle::forces {

/// The energy that a point has in a central law by its place: J for each unit of what the law acts
/// on. Its slope is −central(law, ·): with E for the exponent and R² = r² + softening²,
///
///   strength/((E − 1)·R^(E − 1)),   and −strength·ln R for E = 1
///
/// so that it is 0 far away where E is above 1, and in the centre where E is below. Beyond the
/// law's end it is 0: what leaves it leaves its energy behind, as a spring that breaks.
double potential(const CentralLaw& law, math::Vec3d from_centre);

/// The same of a field for a point, J. Zero of those that have none: drag and fluids, what acts
/// within a region, what needs to know all charges or a body.
double potential(const ForceField& field, const PointMass& point);

}  // namespace jostle::forces
