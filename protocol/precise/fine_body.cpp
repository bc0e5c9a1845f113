#include "protocol/precise/fine_body.h"

#include "protocol/detail/smallest_three.h"

#include <algorithm>

namespace jostle::protocol::precise {
namespace {

using Coding = protocol::detail::SmallestThreeCoding<fine_rotation_bits>;

std::int32_t steps_of(double value) {
  return static_cast<std::int32_t>(
      protocol::detail::round_away(std::clamp(value, -max_fine, max_fine) * fine_steps));
}
std::array<std::int32_t, 3> steps_of(const math::Vec3& v) {
  return {steps_of(static_cast<double>(v.x)), steps_of(static_cast<double>(v.y)),
          steps_of(static_cast<double>(v.z))};
}
math::Vec3 vector_of(const std::array<std::int32_t, 3>& steps) {
  constexpr double unit = 1.0 / fine_steps;
  return {static_cast<float>(steps[0] * unit), static_cast<float>(steps[1] * unit),
          static_cast<float>(steps[2] * unit)};
}

}  // namespace

std::optional<FineBody> to_fine(const state::BodyState& body) {
  if (!math::is_finite(body.pose.position) || !math::is_finite(body.pose.rotation) ||
      !math::is_finite(body.linear_velocity) || !math::is_finite(body.angular_velocity))
    return std::nullopt;
  const protocol::detail::SmallestThree rotation = Coding::pack(body.pose.rotation);
  FineBody fine;
  const math::Position& p = body.pose.position;
  fine.position = {steps_of(p.x), steps_of(p.y), steps_of(p.z)};
  fine.largest = rotation.largest;
  fine.smallest = rotation.smallest;
  fine.linear_velocity = steps_of(body.linear_velocity);
  fine.angular_velocity = steps_of(body.angular_velocity);
  fine.is_awake = body.is_awake;
  return fine;
}

state::BodyState from_fine(const FineBody& body) {
  constexpr double unit = 1.0 / fine_steps;
  state::BodyState state;
  state.pose.position = {body.position[0] * unit, body.position[1] * unit, body.position[2] * unit};
  state.pose.rotation = Coding::unpack({body.largest, body.smallest});
  state.linear_velocity = vector_of(body.linear_velocity);
  state.angular_velocity = vector_of(body.angular_velocity);
  state.is_awake = body.is_awake;
  return state;
}

}  // namespace jostle::protocol::precise
