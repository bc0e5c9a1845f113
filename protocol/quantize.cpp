#include "protocol/quantize.h"

#include "shared/base/assert.h"
#include "shared/base/hash.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jostle::protocol {
namespace {

/// Metres, in both directions from the origin.
constexpr double max_position = 4'194'303.0;

// A component c of a unit quaternion is carried as n = round(c * rotation_scale), stored as
// n + rotation_zero. No component but the largest exceeds 1/sqrt(2), hence |n| <= rotation_reach,
// and rotation_scale² = 2 * rotation_reach² is the sum of the squares of all four n. The middle is
// a step of its own, so that bodies at rest on their axes are carried exactly.
constexpr int rotation_zero = 1 << (rotation_bits - 1);
constexpr int rotation_reach = rotation_zero - 1;
constexpr int rotation_scale_squared = 2 * rotation_reach * rotation_reach;

/// Half away from zero, by arithmetic that no rounding mode of the C library changes.
std::int64_t round_away(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  const double rest = value - static_cast<double>(whole);
  return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

std::int32_t quantize_position(double metres) {
  const double clamped = std::clamp(metres, -max_position, max_position);
  return static_cast<std::int32_t>(round_away(clamped * position_steps_per_metre));
}

using Components = std::array<double, 4>;

/// Where the component `i` of x, y, z, w lies among the three that are not the largest.
std::size_t slot(std::size_t i, std::size_t largest) {
  return i < largest ? i : i - 1;
}

/// Rounding may lift a component above the one that is dropped; the image would then name another
/// largest. Steps towards zero until the dropped one is the largest again (on a tie, of the lowest
/// index): then quantize(dequantize(q)) == q.
void make_canonical(std::array<int, 4>& steps, std::size_t largest) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    int rest = rotation_scale_squared;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i != largest) rest -= steps[i] * steps[i];
    }
    for (std::size_t i = 0; i < 4 && !is_changed; ++i) {
      const int square = steps[i] * steps[i];
      if (i == largest || square < rest || (square == rest && i > largest)) continue;
      steps[i] += steps[i] > 0 ? -1 : 1;
      is_changed = true;
    }
  }
}

void quantize_rotation(const math::Quat& rotation, QuantizedBody& body) {
  Components c{static_cast<double>(rotation.x), static_cast<double>(rotation.y),
               static_cast<double>(rotation.z), static_cast<double>(rotation.w)};
  double squared = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
  if (!(squared > 1e-12)) {
    c = {0, 0, 0, 1};
    squared = 1;
  }
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (std::abs(c[i]) > std::abs(c[largest])) largest = i;
  }
  const double scale =
      std::sqrt(rotation_scale_squared / squared) * (c[largest] < 0.0 ? -1.0 : 1.0);
  std::array<int, 4> steps{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    steps[i] =
        std::clamp(static_cast<int>(round_away(c[i] * scale)), -rotation_reach, rotation_reach);
  }
  make_canonical(steps, largest);
  body.largest = static_cast<std::uint8_t>(largest);
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    body.smallest[slot(i, largest)] = static_cast<std::uint16_t>(steps[i] + rotation_zero);
  }
}

math::Quat dequantize_rotation(const QuantizedBody& body) {
  Components c{};
  double sum = 0;
  const std::size_t largest = body.largest & 3U;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    c[i] = static_cast<double>(body.smallest[slot(i, largest)]) - rotation_zero;
    sum += c[i] * c[i];
  }
  // A stranger may send three components that are too long together: then the fourth is nothing.
  c[largest] = std::sqrt(std::max(rotation_scale_squared - sum, 0.0));
  const double length = std::sqrt(std::max<double>(rotation_scale_squared, sum));
  return {static_cast<float>(c[0] / length), static_cast<float>(c[1] / length),
          static_cast<float>(c[2] / length), static_cast<float>(c[3] / length)};
}

}  // namespace

QuantizedBody quantize(const math::Pose& pose, bool is_awake) {
  JOSTLE_ASSERT(math::is_finite(pose.position) && math::is_finite(pose.rotation));
  QuantizedBody body;
  body.position = {quantize_position(pose.position.x), quantize_position(pose.position.y),
                   quantize_position(pose.position.z)};
  quantize_rotation(pose.rotation, body);
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
          dequantize_rotation(body)};
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
