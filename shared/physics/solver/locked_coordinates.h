#pragma once

#include "shared/physics/solver/coordinate_bundle.h"

#include <cstddef>

namespace jostle::physics {

/// Sweeps K of the joint in a lane over its locked coordinates that can be held, for joints whose
/// bodies have motion locks. Replaces the result of the kernels (solver/coordinate_solver.h),
/// including `is_held` and the responses and masses of rows. Uses the first `count` coordinates as
/// last measured, and the inverse masses, in 1/kg, that the bodies have without locks.
///
/// With motion locks, some directions cannot move at all, and some coordinates depend on others.
/// Because of rounding, their pivots are not exactly zero. Single precision cannot distinguish such
/// a pivot from a small valid one; double precision can. If it were used as a pivot, the coordinate
/// would be held with a nearly infinite mass.
void sweep_with_locks(CoordinateBundle& bundle, std::size_t count, std::size_t lane,
                      float inverse_mass_a, float inverse_mass_b);

}  // namespace jostle::physics
