#pragma once

#include "client/client.h"
#include "client/controls/input_sampler.h"
#include "client/render/camera.h"
#include "shared/state/input.h"

#include <optional>
#include <span>

namespace jostle::controls {

/// A body that the user drags: the grabbed point and the position it is pulled to.
struct Grab {
  state::BodyId body;
  math::Vec3 point_local;
  // distance of the grabbed point along the view direction, m; the target moves in the plane at
  // this distance
  float depth = 0;
  math::Position target;
};

/// The displayed scene, as the target of the user's actions.
struct Shown {
  std::span<const client::ShownBody> bodies;
  state::PlayerId player;  // the local player; null for a spectator, which cannot act
  render::View view;
  render::Size size;
  render::CameraMode camera_mode = render::CameraMode::Orbit;
};

/// Planner of the player's input in the world, from the user's input.
class ActionPlanner {
 public:
  state::PlayerInput plan(const UserInput& user, const Shown& shown);

  /// Returns the current grab, to be drawn; null: none.
  const std::optional<Grab>& grab() const { return grab_; }
  /// Returns the body under the cursor that a drag would take, while Ctrl is held or a gamepad is
  /// used; null: none.
  state::BodyId hovered() const { return hovered_; }

 private:
  void update_grab(const UserInput& user, const Shown& shown);

  std::optional<Grab> grab_;
  state::BodyId hovered_;
  bool was_dragging_ = false;
};

/// Returns the impulse of a click on a body, N·s: it moves a full wooden crate of the body's volume
/// at 3 m/s.
float push_impulse(const state::BodyInfo& body);

}  // namespace jostle::controls
