#pragma once

#include "shared/physics/solver/coordinate_bundle.h"

#include <cstddef>

namespace jostle::physics {

/// Sweeps K of a joint over the coordinates that are locked and can be held, if a body of the joint
/// has locks. Replaces the result of the kernels (solver/coordinate_solver.h), including is_held
/// and the responses and masses of rows. Uses the `count` coordinates as last measured, and the
/// inverse masses, in 1/kg, that the bodies have without locks.
///
/// Motion locks of bodies leave directions along which nothing moves, and coordinates that depend
/// on others. Both show as pivots that are not zero but the square of a rounding error. Such a
/// pivot is far below the resolution of a float difference, but clear in double. It is therefore
/// not mistaken for a coordinate that can be held, with a nearly infinite mass.
void sweep_with_locks(CoordinateBundle& bundle, std::size_t count, std::size_t lane,
                      float inverse_mass_a, float inverse_mass_b);

}  // namespace jostle::physics
