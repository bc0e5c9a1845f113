#pragma once

#include "shared/physics/solver/joint_constraint.h"

namespace jostle::physics {

// Scalar rows of joints. With direction n (unit) for a row along the joint's axis, and arms c_a and
// c_b: u = n·(v_b − v_a) + c_b·ω_b − c_a·ω_a. For a row about the axis n is zero, and c_a = c_b.
//
//   limit   u ≥ −error/h while the bound is ahead; softly pushed back behind it; impulse ≥ 0
//   motor   u = speed; |impulse of both phases| ≤ h·max_force
//   spring  see spring_coefficients

/// What the spring gives in each half of a substep: −mass·(damping·u + rate·error).
struct SpringCoefficients {
  float damping = 0;  // 1
  float rate = 0;     // 1/s
};

/// The damped oscillator sampled exactly. Of its positions, h apart, x₊ = (1+E)x − E·x₋ − K·x with
/// E = e^(−2ζωh) and K = 1 + E − 2√E·cos(ω√(1−ζ²)h). Half kicks at both ends of the substep give
/// that recursion when D = 2·damping and κ = 2h·rate have (1 − D/2)/(1 + D/2) = E and
/// κ/(1 + D/2) = K. Where ω·h is too large for half kicks the spring is integrated implicitly
/// instead, in the hold phase alone: `is_implicit`.
SpringCoefficients spring_coefficients(float hertz, float damping_ratio, float h);
bool is_implicit_spring(float hertz, float h);

/// Adds the rows that the joint has. Their impulses are those of the step before.
void add_joint_rows(JointArrays& arrays, JointConstraint& joint, const JointRecord& record,
                    float h);
/// Directions, errors and masses as the bodies stand now; the block of the joint must be so too.
void update_joint_rows(JointArrays& arrays, JointConstraint& joint, const JointRecord& record,
                       const SolverArrays& bodies);
/// Solves the rows of one joint once.
void solve_joint_rows(JointArrays& arrays, JointConstraint& joint, const JointRecord& record,
                      float h, JointPhase phase, SolverVelocity& a, SolverVelocity& b);

/// What the rows of one phase apply together.
void add_row_wrench(const JointArrays& arrays, const JointConstraint& joint, JointPhase phase,
                    Wrench& wrench);

/// Impulses of the block that answer velocity errors.
struct BlockImpulse {
  math::Vec3 linear, angular;
};
BlockImpulse block_answer(const JointConstraint& joint, math::Vec3 linear_error,
                          math::Vec3 angular_error);
void apply_wrench(const JointArrays& arrays, const JointConstraint& joint, const Wrench& wrench,
                  SolverVelocity& a, SolverVelocity& b);

}  // namespace jostle::physics
