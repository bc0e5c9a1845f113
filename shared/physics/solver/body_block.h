#pragma once

#include <cstddef>

namespace jostle::physics {

inline constexpr std::size_t lane_count = 8;
using Lanes = float[lane_count];

/// Of BodyBlock::is_free: the body has contacts and no joints. Joints foresee how their bodies fly,
/// and have to know it before the substep.
inline constexpr float free_if_untouched = 0.5f;
/// The same, and all that it touches stands still. What carries others or is carried goes the way
/// that its velocity says, as they do.
inline constexpr float free_to_slide = 0.25f;

/// What integration needs of eight bodies, and contacts do not. Rows of eight lanes: x, y, z for a
/// vector; xx, xy, xz, yy, yz, zz for a symmetric matrix; x, y, z, w for a rotation.
struct alignas(32) BodyBlock {
  Lanes rotation[4];
  Lanes angular_momentum[3];        // at reference_angular
  Lanes reference_angular[3];       // rad/s
  Lanes linear_gain[3];             // m/s per substep: gravity and force
  Lanes angular_gain[3];            // rad/s per substep; until prepared, the torque, N·m
  Lanes linear_keep, angular_keep;  // what damping leaves per substep
  Lanes linear_loss;                // linear_keep − 1
  Lanes gained[3];                  // m/s, by gravity, force and damping in this substep
  Lanes start_share;  // of the way, by the velocity of a substep's start; the rest: by its end's
  Lanes base_linear[3], base_angular[3];  // velocities after integration, before contacts acted
  /// What contacts changed in the substep before the last, M⁻¹Jᵀλ.
  Lanes carried_linear[3], carried_angular[3];
  Lanes inverse_inertia_local[6];  // body frame
  Lanes inertia_local[6];
  Lanes inertia[6];   // world axes, as last measured (follow_turn in kernels/body_kernels.h)
  Lanes slenderness;  // how much the moments differ: their largest ratio − 1, or a little more
  Lanes turn[3];      // rad, since the inertia was measured
  Lanes is_dynamic, is_isotropic;  // 1 or 0
  Lanes is_free;                   // 1, 0, free_if_untouched or free_to_slide
};

}  // namespace jostle::physics
