#include "protocol/quantize.h"

#include "protocol/detail/smallest_three.h"
#include "shared/base/assert.h"
#include "shared/base/hash.h"

#include <algorithm>
#include <cstddef>

namespace jostle::protocol {
namespace {

/// Limit of positions in both directions from the origin, m.
constexpr double max_quantized_position = 4'194'303.0;

using Coding = detail::SmallestThreeCoding<rotation_bits>;

std::int32_t quantize_position(double metres) {
  const double clamped = std::clamp(metres, -max_quantized_position, max_quantized_position);
  return static_cast<std::int32_t>(detail::round_away(clamped * position_steps_per_metre));
}

}  // namespace

QuantizedBody quantize(const math::Pose& pose, bool is_awake) {
  JOSTLE_ASSERT(math::is_finite(pose.position) && math::is_finite(pose.rotation));
  QuantizedBody body;
  body.position = {quantize_position(pose.position.x), quantize_position(pose.position.y),
                   quantize_position(pose.position.z)};
  const detail::SmallestThree rotation = Coding::pack(pose.rotation);
  body.largest = rotation.largest;
  body.smallest = rotation.smallest;
  body.is_awake = is_awake;
  return body;
}

QuantizedSnapshot quantize(const state::Snapshot& snapshot) {
  QuantizedSnapshot result;
  result.tick = snapshot.tick;
  result.world_revision = snapshot.world_revision;
  result.ids.reserve(snapshot.bodies.size());
  result.bodies.reserve(snapshot.bodies.size());
  for (const state::BodyState& body : snapshot.bodies) {
    result.ids.push_back(body.id);
    result.bodies.push_back(quantize(body.pose, body.is_awake));
  }
  return result;
}

math::Pose dequantize(const QuantizedBody& body) {
  constexpr double metres_per_step = 1.0 / position_steps_per_metre;
  return {{body.position[0] * metres_per_step, body.position[1] * metres_per_step,
           body.position[2] * metres_per_step},
          Coding::unpack({body.largest, body.smallest})};
}

std::uint64_t hash(const QuantizedSnapshot& snapshot) {
  JOSTLE_ASSERT(snapshot.ids.size() == snapshot.bodies.size());
  base::Hasher hasher;
  hasher.add(snapshot.tick.number);
  hasher.add(snapshot.world_revision);
  hasher.add(static_cast<std::uint64_t>(snapshot.bodies.size()));
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    const QuantizedBody& body = snapshot.bodies[i];
    hasher.add(snapshot.ids[i].value);
    for (const std::int32_t axis : body.position)
      hasher.add(axis);
    hasher.add(body.largest);
    for (const std::uint16_t component : body.smallest)
      hasher.add(component);
    hasher.add(body.is_awake);
  }
  return hasher.finish();
}

}  // namespace jostle::protocol
