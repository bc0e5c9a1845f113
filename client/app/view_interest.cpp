#include "client/app/view_interest.h"

#include <algorithm>
#include <cmath>

namespace jostle::client_app {
namespace {

constexpr std::uint32_t bytes_per_kilobit = 125;

}  // namespace

protocol::SetInterest interest_in(const render::View& view, render::Size size,
                                  const Options& options) {
  protocol::SetInterest interest = interest_without_view(options);
  interest.eye = view.eye;
  const float length = math::length(view.forward);
  if (length > 0) interest.forward = view.forward * (1 / length);
  const float up = std::tan(view.fov_y / 2), right = up * size.aspect();
  interest.half_angle = std::atan(std::sqrt(up * up + right * right));
  return interest;
}

protocol::SetInterest interest_without_view(const Options& options) {
  protocol::SetInterest interest;
  interest.radius = static_cast<float>(options.interest_radius_m);
  interest.max_bytes_per_second =
      static_cast<std::uint32_t>(options.max_rate_kbps) * bytes_per_kilobit;
  return interest;
}

}  // namespace jostle::client_app
