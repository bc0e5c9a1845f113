#include "client/render/camera.h"

#include <algorithm>
#include <cmath>

namespace jostle::render {

using math::Position;
using math::Vec3;

namespace {

// Maximum pitch, rad. It is slightly less than vertical, where yaw would be undefined.
constexpr float max_pitch = 1.54f;
constexpr float min_distance = 0.5f, max_distance = 2'000.0f;
constexpr float min_fly_speed = 0.5f, max_fly_speed = 500.0f;
constexpr float follow_rate = 8.0f;  // 1/s

}  // namespace

Mat4 View::clip_from_offset(float aspect) const {
  return perspective(fov_y, aspect, near, far) * view_rotation(right, up, forward);
}

Ray ray_through(const View& view, Size size, ScreenPoint point) {
  const float half_height = std::tan(view.fov_y * 0.5f);
  const float x = (2 * point.x / static_cast<float>(size.width) - 1) * half_height * size.aspect();
  const float y = (1 - 2 * point.y / static_cast<float>(size.height)) * half_height;
  const Vec3 direction = view.forward + view.right * x + view.up * y;
  return {view.eye, math::normalized_or(direction, view.forward)};
}

std::optional<ScreenPoint> project(const View& view, Size size, Position position) {
  const Vec4 clip = transform(view.clip_from_offset(size.aspect()), position - view.eye);
  if (clip.w < view.near) return std::nullopt;
  return ScreenPoint{(clip.x / clip.w + 1) * 0.5f * static_cast<float>(size.width),
                     (1 - clip.y / clip.w) * 0.5f * static_cast<float>(size.height)};
}

void CameraRig::set(const state::Camera& camera) {
  const Vec3 offset = camera.target - camera.eye;
  const Vec3 direction = math::normalized_or(offset, {0, 0, -1});
  mode_ = CameraMode::Orbit;
  target_ = camera.target;
  distance_ = math::clamp(math::length(offset), min_distance, max_distance);
  yaw_ = std::atan2(direction.x, -direction.z);
  pitch_ = math::clamp(std::asin(math::clamp(direction.y, -1, 1)), -max_pitch, max_pitch);
}

void CameraRig::turn(float yaw, float pitch) {
  // In mode Fly the camera turns around the eye, so the target moves.
  const Position eye = target_ - forward() * distance_;
  yaw_ = std::remainder(yaw_ + yaw, 2 * 3.14159265f);
  pitch_ = math::clamp(pitch_ + pitch, -max_pitch, max_pitch);
  if (mode_ == CameraMode::Fly) target_ = eye + forward() * distance_;
}

void CameraRig::zoom(float steps) {
  const float factor = std::pow(0.9f, steps);
  if (mode_ == CameraMode::Fly) {
    fly_speed_ = math::clamp(fly_speed_ / factor, min_fly_speed, max_fly_speed);
  } else {
    distance_ = math::clamp(distance_ * factor, min_distance, max_distance);
  }
}

void CameraRig::pan(float right, float up) {
  if (mode_ == CameraMode::Follow) mode_ = CameraMode::Orbit;
  const View now = view();
  const float height = 2 * distance_ * std::tan(now.fov_y * 0.5f);
  target_ = target_ + (now.right * right + now.up * up) * height;
}

void CameraRig::fly(float right, float up, float forward, float seconds) {
  if (mode_ != CameraMode::Fly) return;
  const View now = view();
  const Vec3 direction = now.right * right + Vec3{0, up, 0} + now.forward * forward;
  target_ = target_ + direction * (fly_speed_ * seconds);
}

void CameraRig::follow(Position position, float seconds) {
  if (mode_ != CameraMode::Follow) return;
  const float part = 1 - std::exp(-follow_rate * seconds);
  target_ = target_ + (position - target_) * part;
}

void CameraRig::set_mode(CameraMode mode) {
  mode_ = mode;
}

View CameraRig::view() const {
  View view;
  view.forward = forward();
  view.right = {std::cos(yaw_), 0, std::sin(yaw_)};
  view.up = math::cross(view.right, view.forward);
  view.eye = target_ - view.forward * distance_;
  // The near plane is at a fiftieth of the distance to the target, between 5 cm and 1 m. The far
  // plane is at least 1 km away. A 24-bit depth buffer is precise enough for this range.
  view.near = math::clamp(distance_ * 0.02f, 0.05f, 1.0f);
  view.far = std::max(1'000.0f, distance_ * 20);
  return view;
}

Vec3 CameraRig::forward() const {
  return {std::sin(yaw_) * std::cos(pitch_), std::sin(pitch_), -std::cos(yaw_) * std::cos(pitch_)};
}

}  // namespace jostle::render
