#include "client/sim/body_correction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jostle::prediction {
namespace {

/// Half a quantisation step plus a margin: the error that rounding may cause on one axis.
constexpr double hidden_offset = 0.505 / protocol::position_steps_per_metre;
/// Maximum error of a rotation from smallest-three quantisation, see max_rotation_error in
/// tests/protocol/quantize_test.cpp.
constexpr double hidden_angle = 0.0131;  // rad

/// Returns axis times angle (rad) of the shorter rotation from `a` to `b`.
math::Vec3 turn_between(math::Quat a, math::Quat b) {
  math::Quat q = b * conjugate(a);
  if (q.w < 0.0f) q = negate(q);
  const double x = q.x, y = q.y, z = q.z;
  const double sine = std::sqrt(x * x + y * y + z * z);
  if (sine < 1e-9) return {};
  const double scale = 2 * std::atan2(sine, static_cast<double>(q.w)) / sine;
  return {static_cast<float>(x * scale), static_cast<float>(y * scale),
          static_cast<float>(z * scale)};
}

math::Quat turned(math::Quat rotation, math::Vec3 turn) {
  const double angle = static_cast<double>(length(turn));
  if (angle == 0) return rotation;
  const auto scale = static_cast<float>(std::sin(angle / 2) / angle);
  const math::Quat by{turn.x * scale, turn.y * scale, turn.z * scale,
                      static_cast<float>(std::cos(angle / 2))};
  return normalized(by * rotation);
}

float beyond(double difference) {
  return static_cast<float>(difference - std::clamp(difference, -hidden_offset, hidden_offset));
}

}  // namespace

Deviation deviation(const math::Pose& known, const protocol::QuantizedBody& received) {
  const math::Pose pose = protocol::dequantize(received);
  Deviation found;
  found.offset = {beyond(pose.position.x - known.position.x),
                  beyond(pose.position.y - known.position.y),
                  beyond(pose.position.z - known.position.z)};
  const math::Vec3 turn = turn_between(known.rotation, pose.rotation);
  const double angle = static_cast<double>(length(turn));
  if (angle > hidden_angle) found.turn = turn * static_cast<float>((angle - hidden_angle) / angle);
  return found;
}

state::BodyState corrected(const state::BodyState& known, const Deviation& deviation,
                           double seconds) {
  state::BodyState body = known;
  const auto rate = static_cast<float>(1 / seconds);
  body.pose.position = known.pose.position + deviation.offset;
  body.pose.rotation = turned(known.pose.rotation, deviation.turn);
  body.linear_velocity += deviation.offset * rate;
  body.angular_velocity += deviation.turn * rate;
  return body;
}

Velocities velocities_between(const protocol::QuantizedBody& before,
                              const protocol::QuantizedBody& after, double seconds) {
  const math::Pose from = protocol::dequantize(before), to = protocol::dequantize(after);
  const auto rate = static_cast<float>(1 / seconds);
  return {(to.position - from.position) * rate, turn_between(from.rotation, to.rotation) * rate};
}

}  // namespace jostle::prediction
