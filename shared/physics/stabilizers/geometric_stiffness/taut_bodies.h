#pragma once

#include "shared/physics/detail/constants.h"

#include <cmath>

namespace jostle::physics {

// Geometric stiffness. The links of a taut chain behave as if torsion springs held them straight. A
// tension force f at the end of the arm r resists the rotation θ of a body with the geometric
// stiffness
//
//   K = −∂(r × f)/∂θ = (r·f)·1 − r·fᵀ
//
// The Jacobian does not contain K, because it treats the arm as constant. Links that swing
// alternately to either side, while their centres and the far ends of the chain do not move, are
// oscillators. Their angular frequency ω satisfies I·ω² = ΣK over the joints of a link, whatever
// other constraints the link has. Explicit substeps h resolve these oscillations while h·ω is
// small. Beyond h·ω = 2 the oscillation grows with each substep until the chain tears apart. For 1
// m rods of 1 kg, at 240 substeps a second, this happens from 19 kN on. (Tournier, Nesme, Gilles
// and Faure, "Stable constrained dynamics", 2015; Andrews, Teichmann and Kövecses, "Geometric
// stiffness for real-time constrained multibody dynamics", 2017. The second paper adds the missing
// stiffness to the inertia.)
//
// The moments of inertia of a taut body are therefore multiplied by the factor s:
//
//   s = max(1, c / max_tautness),   c = h²·Σ max(0, r·f)·(tr I⁻¹ − r̂ᵀI⁻¹r̂)
//
// In joint trees, the response of the whole tree can take the place of I⁻¹
// (stabilizers/geometric_stiffness/taut_trees.h). If all forces act along the arms, c is
// h²·tr(I⁻¹·ΣK), which for a rod is the sum over two directions. If c is at most max_tautness, s is
// exactly 1. Two kinds of joints do not count. Joints that constrain all rotation (fixed joints and
// sliders) cannot swing. A joint that alone holds its bodies predicts their rotation exactly
// (solver/joint_solver.h).
//
// The sum over the joints is that of the last substep of the previous step; s is part of the body's
// state. If s rises to s₊, the body turns more slowly, ω ← ω·√(s/s₊), so that ½ω·sI·ω stays the
// same. If s falls, ω stays the same. The factor therefore adds no energy.

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
