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

/// The state of a body, in terms that every engine provides: pose of the body's frame and velocity
/// of its centre of mass, both in the world.
struct BodyState {
  math::Vec3 position;
  math::Quat rotation;
  math::Vec3 linear_velocity;
  math::Vec3 angular_velocity;
};

/// Returns true if all numbers are finite and the rotation is not zero.
bool is_finite(const BodyState& state);

/// Encodes a dump: an int32 count, then 13 float32 per body in the order of creation (position,
/// quaternion xyzw, linear and angular velocity), little-endian. Values may be non-finite.
std::vector<std::byte> encode_dump(std::span<const BodyState> states);

/// Decodes a dump. The error says what is wrong with the bytes.
base::Result<std::vector<BodyState>, std::string> decode_dump(std::span<const std::byte> bytes);

}  // namespace jostle::workload
