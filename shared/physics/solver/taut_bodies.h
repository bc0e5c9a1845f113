#pragma once

#include "shared/physics/detail/constants.h"

#include <cmath>

namespace jostle::physics {

// Geometric stiffness. A taut chain of links is a string of springs. A force f that pulls at the
// arm r turns a body back with the geometric stiffness
//
//   K = −∂(r × f)/∂θ = (r·f)·1 − r·fᵀ
//
// The Jacobian does not contain it, because it treats the arm as constant. Links that swing
// alternately to either side, with their centres and the far ends of the chain in place, are
// oscillators. They satisfy I·ω² = ΣK over the joints of a link, whatever else holds them. Explicit
// substeps h resolve these while h·ω is small. Beyond h·ω = 2 the swing grows with each substep,
// and a whip, or hinges with a heavy bob, tear themselves apart. For 1 m rods of 1 kg, at 240
// substeps a second, this happens from 19 kN on. (Tournier, Nesme, Gilles and Faure, "Stable
// constrained dynamics", 2015; Andrews, Teichmann and Kövecses, "Geometric stiffness for real-time
// constrained multibody dynamics", 2017. The second paper adds the missing stiffness to the
// inertia.)
//
// While a body is that taut, it therefore counts as more inert in rotation, by the factor s.
//
//   s = max(1, c / max_tautness),   c = h²·Σ max(0, r·f)·(tr I⁻¹ − r̂ᵀI⁻¹r̂)
//
// For pulls along the arms c is h²·tr(I⁻¹·ΣK), so for a rod it is the sum of two directions. Slack
// or moderately taut bodies keep their inertia bit by bit. Two kinds of joints do not count. Joints
// that hold the whole rotation (fixed joints and sliders) cannot swing. A joint that alone holds
// its bodies predicts their rotation exactly (solver/joint_solver.h).
//
// The sum is that of the last substep of the previous step; the factor is state. When it rises the
// body turns more slowly, ω ← ω·√(s/s₊), so that ½ω·sI·ω stays the same. When it falls, ω stays the
// same. It therefore adds no energy.

/// Returns the next inertia factor s. `was` is the factor of this step; `tautness` is c, measured
/// with the inertia already multiplied by `was`.
inline float next_taut_factor(float was, float tautness) {
  const float factor = tautness * was * (1.0f / max_tautness);
  return factor > 1.0f ? (factor < max_taut_factor ? factor : max_taut_factor) : 1.0f;
}

/// Returns the factor for the angular velocity if the inertia factor changes from `was` to
/// `factor`: √(was/factor) if it rises, else 1.
inline float turn_kept(float was, float factor) {
  return factor > was ? std::sqrt(was / factor) : 1.0f;
}

}  // namespace jostle::physics
