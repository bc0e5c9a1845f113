#pragma once

#include "shared/physics/detail/constants.h"

#include <cmath>

namespace jostle::physics {

// A taut chain of links is a string of springs. A force f that pulls at the arm r turns a body back
// with the geometric stiffness
//
//   K = −∂(r × f)/∂θ = (r·f)·1 − r·fᵀ
//
// which no Jacobian knows of, because the arm is taken as it stands. Links that swing alternately
// to either side, with their centres and the far ends of the chain in place, are oscillators of
// I·ω² = ΣK over the joints of a link, whatever else holds them. Explicit substeps h resolve these
// while h·ω is small; beyond h·ω = 2 the swing grows with each (of 1 m rods of 1 kg, at 240
// substeps a second, from 19 kN on), and a whip or hinges with a heavy bob tear themselves apart.
// (Tournier, Nesme, Gilles and Faure, "Stable constrained dynamics", 2015; Andrews, Teichmann and
// Kövecses, "Geometric stiffness for real-time constrained multibody dynamics", 2017, who add what
// is missing to the inertia.)
//
// A body therefore counts as more inert in turning, by the factor
//
//   s = max(1, c / max_tautness),   c = h²·Σ max(0, r·f)·(tr I⁻¹ − r̂ᵀI⁻¹r̂)
//
// for as long as it is that taut. c is h²·tr(I⁻¹·ΣK) for pulls along the arms, so for a rod the sum
// of two directions. Slack or moderately taut bodies keep their inertia bit by bit. Joints that
// hold the rotation have nothing to swing, and a joint that alone holds its bodies foresees their
// turning exactly (solver/joint_solver.h): neither counts.
//
// The sum is that of the last substep of the step before; the factor is state. As it rises the body
// turns slower, ω ← ω·√(s/s₊), so that ½ω·sI·ω stays; as it falls ω stays. So it brings no energy.

/// The factor after a step that began with `was` and ended with the sum c for the inertia so
/// multiplied.
inline float next_taut_factor(float was, float tautness) {
  const float factor = tautness * was * (1.0f / max_tautness);
  return factor > 1.0f ? (factor < max_taut_factor ? factor : max_taut_factor) : 1.0f;
}

/// What is left of the angular velocity when the factor changes.
inline float turn_kept(float was, float factor) {
  return factor > was ? std::sqrt(was / factor) : 1.0f;
}

}  // namespace jostle::physics
