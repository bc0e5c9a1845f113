#pragma once

#include "client/render/matrix.h"
#include "shared/math/vec3.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>

namespace jostle::render {

/// The picture's size in pixels.
struct Size {
  int width = 1280, height = 720;
  bool operator==(const Size&) const = default;
  float aspect() const { return static_cast<float>(width) / static_cast<float>(height); }
};

/// A place in the window, in pixels from its upper left corner.
struct ScreenPoint {
  float x = 0, y = 0;
  bool operator==(const ScreenPoint&) const = default;
};

struct Ray {
  math::Position origin;
  math::Vec3 direction;  // unit length
};

/// Where a picture is taken from. Everything is drawn relative to `eye`, which is a double
/// position, so that a scene far from the origin does not jitter.
struct View {
  math::Position eye;
  math::Vec3 right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};
  float fov_y = 0.9f;  // rad
  float near = 0.1f;   // m
  float far = 2000;    // m

  /// World directions and offsets from the eye to clip space.
  Mat4 clip_from_offset(float aspect) const;
};

/// The ray through a pixel.
Ray ray_through(const View& view, Size size, ScreenPoint point);

/// Where a world position is seen, or nothing when it is behind the eye.
std::optional<ScreenPoint> project(const View& view, Size size, math::Position position);

enum class CameraMode : std::uint8_t {
  Orbit,   // around a fixed point
  Follow,  // around the player's body
  Fly,     // free
};

/// How the user moves the view: turns, zooms and steps become a View.
class CameraRig {
 public:
  /// Looks from `camera.eye` at `camera.target`.
  void set(const state::Camera& camera);

  /// Turns by angles in radians: around the target, or in place when flying.
  void turn(float yaw, float pitch);
  /// Each step takes the eye a tenth nearer to the target, or further away when negative. Flying,
  /// it sets the speed instead.
  void zoom(float steps);
  /// Shifts the target across the picture, in parts of the picture's height; ends following.
  void pan(float right, float up);
  /// Moves the eye when flying; `right`, `up` and `forward` in [−1, 1].
  void fly(float right, float up, float forward, float seconds);
  /// Follow: draws the target towards `position`, most of the way within a quarter of a second.
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
  float distance_ = 15;   // m, from target to eye
  float yaw_ = 0;         // rad, 0 looks along −z, positive turns right
  float pitch_ = -0.4f;   // rad, positive looks up
  float fly_speed_ = 10;  // m/s
};

}  // namespace jostle::render
