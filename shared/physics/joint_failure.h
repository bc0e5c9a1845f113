#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/detail/joint_record.h"

#include <array>
#include <cstddef>

namespace jostle::physics {

struct Body;

/// How what a joint fails changes with a body: per metre that it moves, and per radian that it
/// turns about its centre of mass.
struct Gradient {
  math::Vec3 along, about;
};

/// One of the things that a joint asks for, C = 0, and its row of the Jacobian.
struct FailedRow {
  float failure = 0;  // C: m or rad
  Gradient a, b;
};

/// What a joint holds, as it stands; limits are in it where it is at or beyond them.
struct JointFailure {
  static constexpr std::size_t max_rows = 6;

  float gap = 0;   // m: the length of all rows that are of places
  float lean = 0;  // rad: and of those that are of turning
  std::size_t row_count = 0;
  std::array<FailedRow, max_rows> rows;
};

/// Of all kinds but servos, gears and racks, which fail nothing here; limits included. The bodies
/// are taken to stand with their centres of mass there.
JointFailure failure_of(const JointDef& def, const Body& a, const math::Pose& at_a, const Body& b,
                        const math::Pose& at_b);

/// Whether the joint is open by no more than a share of what close_joints.h lets be.
bool is_closed(const JointFailure& failure, float share);

}  // namespace jostle::physics
