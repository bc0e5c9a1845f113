#pragma once

#include "client/client.h"
#include "client/controls/input_sampler.h"
#include "client/render/camera.h"
#include "shared/state/input.h"

#include <optional>
#include <span>

namespace jostle::controls {

/// A body that the user holds by a point and the place the point is drawn to.
struct Grab {
  state::BodyId body;
  math::Vec3 point_local;
  float depth = 0;  // m along the view: the target moves on the plane there that faces the camera
  math::Position target;
};

/// What is on the screen, for what is done to it.
struct Shown {
  std::span<const client::ShownBody> bodies;
  state::PlayerId player;  // null: a spectator, who can do nothing
  render::View view;
  render::Size size;
  render::CameraMode camera_mode = render::CameraMode::Orbit;
};

/// Turns what the user did into what the player does to the world.
class ActionPlanner {
 public:
  state::PlayerInput plan(const UserInput& user, const Shown& shown);

  /// What is held now, for the picture.
  const std::optional<Grab>& grab() const { return grab_; }
  /// The body under the cursor that a drag would take, while Ctrl is held.
  state::BodyId hovered() const { return hovered_; }

 private:
  void update_grab(const UserInput& user, const Shown& shown);

  std::optional<Grab> grab_;
  state::BodyId hovered_;
  bool was_dragging_ = false;
};

/// The impulse of a click on a body: enough to move wood of its size at a brisk pace, N·s.
float push_impulse(const state::BodyInfo& body);

}  // namespace jostle::controls
