#pragma once

#include "client/render/matrix.h"
#include "shared/math/vec3.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>

namespace jostle::render {

/// Size of a picture, in pixels.
struct Size {
  int width = 1280, height = 720;
  bool operator==(const Size&) const = default;
  float aspect() const { return static_cast<float>(width) / static_cast<float>(height); }
};

/// One of `count` equal columns of the screen: `number` is counted from 1 at the left. A `count` of
/// 0 means no column; the window manager then chooses the window's position.
struct ScreenColumn {
  int number = 0, count = 0;
};

/// A position in the window, in pixels from its upper left corner.
struct ScreenPoint {
  float x = 0, y = 0;
  bool operator==(const ScreenPoint&) const = default;
};

struct Ray {
  math::Position origin;
  math::Vec3 direction;  // unit length
};

/// Pose and projection of the camera. Everything is drawn relative to `eye`, which is a
/// double-precision position, so that a scene far from the origin does not jitter.
struct View {
  math::Position eye;
  math::Vec3 right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};
  float fov_y = 0.9f;  // rad
  float near = 0.1f;   // m
  float far = 2000;    // m

  /// Returns the matrix from offsets relative to the eye, in world axes, to clip space.
  Mat4 clip_from_offset(float aspect) const;
};

/// Returns the ray from the eye through `point` of a picture with size `size`.
Ray ray_through(const View& view, Size size, ScreenPoint point);

/// Returns the point of a picture with size `size` at which a world position appears; null if the
/// position is behind the eye or nearer than the near plane.
std::optional<ScreenPoint> project(const View& view, Size size, math::Position position);

enum class CameraMode : std::uint8_t {
  Orbit,   // turns around a fixed point
  Follow,  // turns around the followed body
  Fly,     // free
};

/// Camera that the user moves: it turns, zooms, pans and flies.
class CameraRig {
 public:
  /// Looks from `camera.eye` at `camera.target`, in mode Orbit.
  void set(const state::Camera& camera);

  /// Turns by angles in radians: around the target, or in place in mode Fly.
  void turn(float yaw, float pitch);
  /// Multiplies the distance from the eye to the target by 0.9 for each step. In mode Fly, divides
  /// the speed by 0.9 for each step instead. `steps` may be negative or fractional.
  void zoom(float steps);
  /// Pans the target across the picture, in fractions of the picture's height; ends mode Follow.
  void pan(float right, float up);
  /// In mode Fly, moves the eye. `right`, `up` (vertically) and `forward` are fractions of the
  /// speed, in [−1, 1].
  void fly(float right, float up, float forward, float seconds);
  /// In mode Follow, moves the target towards `position`, most of the way within a quarter of a
  /// second.
  void follow(math::Position position, float seconds);

  void set_mode(CameraMode mode);
  CameraMode mode() const { return mode_; }
  float distance() const { return distance_; }
  math::Position target() const { return target_; }
  View view() const;

 private:
  math::Vec3 forward() const;

  CameraMode mode_ = CameraMode::Orbit;
  math::Position target_{0, 1, 0};
  float distance_ = 15;   // distance from target to eye, m
  float yaw_ = 0;         // rad, 0 looks along −z, positive turns right
  float pitch_ = -0.4f;   // rad, positive looks up
  float fly_speed_ = 10;  // m/s
};

}  // namespace jostle::render
