#pragma once

#include <cstddef>

namespace jostle::physics {

inline constexpr std::size_t lane_count = 8;
using Lanes = float[lane_count];
/// Value of BodyBlock::slenderness with which the inertia is recomputed in every substep in which
/// the body turns.
inline constexpr float always_follow_turn = 1e20f;
/// Number of body blocks in one unit of parallel work.
inline constexpr std::size_t body_blocks_per_piece = 32;

/// Value of BodyBlock::is_free for a body without joints that touches a dynamic or kinematic body.
/// In substeps in which the body is fast and its contacts apply no impulse, it moves on the exact
/// parabola of free flight. Bodies with joints never have this value, because the joint solver must
/// know before the substep how bodies will move.
inline constexpr float free_if_untouched = 0.5f;
/// Value of BodyBlock::is_free for a body without joints that touches only immovable bodies. In
/// addition to free_if_untouched, such a body follows the parabola along its direction of motion
/// while it slides or rolls fast (lasting_change in kernels/body_kernels.h). A body that touches
/// movable bodies then moves by h·v, as they do.
inline constexpr float free_to_slide = 0.25f;

/// State of eight bodies that integration needs and contacts do not. Rows of eight lanes: x, y, z
/// for a vector; xx, xy, xz, yy, yz, zz for a symmetric matrix; x, y, z, w for a rotation.
struct alignas(32) BodyBlock {
  Lanes rotation[4];
  Lanes angular_momentum[3];   // L at the angular velocity `reference_angular`, kg·m²/s
  Lanes reference_angular[3];  // rad/s
  Lanes linear_rest[3];        // Body::linear_rest
  Lanes turn_ratio;            // Body::turn_ratio
  Lanes linear_gain[3];        // velocity change by gravity and force per substep, m/s
  // velocity change by torque per substep, rad/s; before the kernel prepare_bodies, torque times
  // the damping's gain (Damping in body_solver.cpp), N·m
  Lanes angular_gain[3];
  Lanes linear_keep, angular_keep;  // factors by which damping scales the velocities per substep
  Lanes linear_loss;                // linear_keep − 1
  Lanes gained[3];  // change of velocity by gravity, force and damping in this substep, m/s
  // Share of the displacement that uses the velocity at the start of the substep. The other part
  // uses the velocity at its end.
  Lanes start_share;
  // Velocities after integration, with the changes by joints but without those by contacts.
  Lanes base_linear[3], base_angular[3];
  /// Changes of velocity by contacts in the previous substep, M⁻¹Jᵀλ.
  Lanes carried_linear[3], carried_angular[3];
  Lanes inverse_inertia_local[6];  // body frame
  Lanes inertia_local[6];
  // inertia in world axes, as last recomputed (follow_turn in kernels/body_kernels.h)
  Lanes inertia[6];
  Lanes slenderness;  // upper bound of the largest ratio of the principal moments, minus 1
  Lanes turn[3];      // rotation since `inertia` was recomputed, rad
  Lanes is_dynamic, is_isotropic;  // 1 if true, else 0
  Lanes is_free;                   // 1 without contacts; else 0 or one of the values above
};

}  // namespace jostle::physics
