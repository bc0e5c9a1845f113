#pragma once

#include "shared/base/result.h"
#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::workload {

/// How a body stands and moves, as every engine can tell it: pose of the body's frame, velocity of
/// its centre of mass, all in the world.
struct BodyState {
  math::Vec3 position;
  math::Quat rotation;
  math::Vec3 linear_velocity;
  math::Vec3 angular_velocity;
};

/// All its numbers are finite, and its rotation is one: not of length zero.
bool is_finite(const BodyState& state);

/// A dump: int32 count, then 13 float32 per body in the order of creation (position, quaternion
/// xyzw, linear and angular velocity), little-endian. Values may be non-finite.
std::vector<std::byte> encode_dump(std::span<const BodyState> states);

/// The error says in words what is wrong with the bytes.
base::Result<std::vector<BodyState>, std::string> decode_dump(std::span<const std::byte> bytes);

}  // namespace jostle::workload
