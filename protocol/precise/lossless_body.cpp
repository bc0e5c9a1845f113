#include "protocol/precise/lossless_body.h"

#include <bit>
#include <limits>

namespace jostle::protocol::precise {
namespace {

std::int32_t ordered(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits < 0 ? bits ^ std::numeric_limits<std::int32_t>::max() : bits;
}
std::int64_t ordered(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}
float number_of(std::int32_t ordered) {
  return std::bit_cast<float>(ordered < 0 ? ordered ^ std::numeric_limits<std::int32_t>::max()
                                          : ordered);
}
double number_of(std::int64_t ordered) {
  return std::bit_cast<double>(ordered < 0 ? ordered ^ std::numeric_limits<std::int64_t>::max()
                                           : ordered);
}

math::Vec3 vector_of_ordered(const std::array<std::int32_t, 3>& v) {
  return {number_of(v[0]), number_of(v[1]), number_of(v[2])};
}
bool is_finite(const state::BodyState& body) {
  return math::is_finite(body.pose.position) && math::is_finite(body.pose.rotation) &&
         math::is_finite(body.linear_velocity) && math::is_finite(body.angular_velocity);
}

}  // namespace

std::optional<LosslessBody> to_exact(const state::BodyState& body) {
  if (!is_finite(body)) return std::nullopt;
  const math::Position& p = body.pose.position;
  const math::Quat& q = body.pose.rotation;
  const math::Vec3 &v = body.linear_velocity, &w = body.angular_velocity;
  LosslessBody exact;
  exact.position = {ordered(p.x), ordered(p.y), ordered(p.z)};
  exact.rotation = {ordered(q.x), ordered(q.y), ordered(q.z), ordered(q.w)};
  exact.linear_velocity = {ordered(v.x), ordered(v.y), ordered(v.z)};
  exact.angular_velocity = {ordered(w.x), ordered(w.y), ordered(w.z)};
  exact.is_awake = body.is_awake;
  return exact;
}

std::optional<state::BodyState> from_exact(const LosslessBody& body) {
  state::BodyState state;
  state.pose.position = {number_of(body.position[0]), number_of(body.position[1]),
                         number_of(body.position[2])};
  state.pose.rotation = {number_of(body.rotation[0]), number_of(body.rotation[1]),
                         number_of(body.rotation[2]), number_of(body.rotation[3])};
  state.linear_velocity = vector_of_ordered(body.linear_velocity);
  state.angular_velocity = vector_of_ordered(body.angular_velocity);
  state.is_awake = body.is_awake;
  if (!is_finite(state)) return std::nullopt;
  return state;
}

}  // namespace jostle::protocol::precise
