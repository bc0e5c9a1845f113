#pragma once

#include "client/client.h"
#include "client/controls/user_input.h"
#include "client/render/camera.h"
#include "shared/state/input.h"

#include <optional>
#include <span>

namespace jostle::controls {

/// A body that the user drags: the grabbed point and the position to which it is pulled.
struct Grab {
  state::BodyId body;
  math::Vec3 point_local;
  // distance of the grabbed point along the view direction, m; the target moves in the plane at
  // this distance
  float depth = 0;
  math::Position target;
};

/// The displayed scene, in which the user's actions select bodies and points.
struct Shown {
  std::span<const client::ShownBody> bodies;
  state::PlayerId player;  // the local player; null for a spectator, which cannot act
  render::View view;
  render::Size size;
  render::CameraMode camera_mode = render::CameraMode::Orbit;
};

/// Planner that converts the user's input to the player's input: movement, buttons, and actions on
/// bodies under the cursor.
class ActionPlanner {
 public:
  state::PlayerInput plan(const UserInput& user, const Shown& shown);

  /// Returns the current grab, for drawing; null: none.
  const std::optional<Grab>& grab() const { return grab_; }
  /// Returns the body under the cursor that a drag would grab; null: none. It is set only while
  /// Ctrl is pressed or a gamepad is used, and nothing is dragged.
  state::BodyId hovered() const { return hovered_; }

 private:
  void update_grab(const UserInput& user, const Shown& shown);

  std::optional<Grab> grab_;
  state::BodyId hovered_;
  bool was_dragging_ = false;
};

/// Returns the impulse of a click on a body, N·s. It would accelerate a full wooden crate of the
/// body's volume to 3 m/s, and is clamped to 1..200 N·s.
float push_impulse(const state::BodyInfo& body);

}  // namespace jostle::controls
