#pragma once

#include "shared/physics/solver/coordinate_bundle.h"

#include <cstddef>

namespace jostle::physics {

/// K of one joint of which a body has locks, swept over what is locked and can be held, in the
/// place of what kernels made of it (solver/coordinate_solver.h); with is_held, and the responses
/// and masses of rows. Takes the `count` coordinates as last measured, and the inverse masses, in
/// 1/kg, of bodies without locks.
///
/// Locks of bodies leave directions along which nothing moves, and coordinates that follow from
/// others. Rows that are rounded tell of both by the square of that, which is far below what float
/// knows of a difference, but clear in double: what is left there is not held by mistake, with a
/// mass without end.
void sweep_with_locks(CoordinateBundle& bundle, std::size_t count, std::size_t lane,
                      float inverse_mass_a, float inverse_mass_b);

}  // namespace jostle::physics
