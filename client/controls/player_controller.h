#pragma once

#include "client/client.h"
#include "client/controls/action_planner.h"
#include "client/controls/script.h"
#include "client/render/camera.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::controls {

/// Turns, zooms, pans and flies the camera according to the user's input of the last `seconds`.
/// `size` is the size of the picture.
void move_camera(render::CameraRig& rig, const UserInput& user, render::Size size, float seconds);

/// Controller that connects the user, or a script, to the client. Moves the camera, converts the
/// user's input to the player's input, and sends requests that need a permission. Draws nothing.
class PlayerController {
 public:
  /// `camera` replaces the cameras of all scenes; null: the scenes' cameras are used.
  explicit PlayerController(Script script, std::optional<state::Camera> camera = std::nullopt)
      : script_(script), camera_(camera) {}

  /// Moves the camera and passes the user's input and commands to the client. Call it once per
  /// frame. `seconds_playing` counts from the first frame of the world; `seconds` is the time since
  /// the last call.
  void fly(const UserInput& user, client::Client& client, render::Size size, double seconds_playing,
           float seconds);

  /// Looks from the camera's eye at its target until the scene changes.
  void look(const state::Camera& camera) { rig_.set(camera); }
  /// Sets the body to follow; null: the player's own body.
  void set_followed(state::BodyId body) { followed_ = body; }
  /// Sets the body to follow and switches the camera to follow mode.
  void follow(state::BodyId body);

  const render::CameraRig& rig() const { return rig_; }
  const ActionPlanner& planner() const { return planner_; }

 private:
  void execute(Command command, client::Client& client);
  Shown shown_by(const client::Client& client, render::Size size) const;

  state::BodyId followed_;
  ScriptPlayer script_;
  std::optional<state::Camera> camera_;
  render::CameraRig rig_;
  ActionPlanner planner_;
  // scene for which the view was last set, and camera of that scene; a scene that is loaded again
  // with the same camera does not move the view
  std::string scene_;
  state::Camera scene_camera_;
  // true if the camera no longer switches to follow mode when the player first moves
  bool has_followed_ = false;
};

}  // namespace jostle::controls
