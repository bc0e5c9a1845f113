#pragma once

#include "client/client.h"
#include "client/controls/action_planner.h"
#include "client/controls/script.h"
#include "client/render/camera.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::controls {

/// Turns, zooms, shifts and flies by what the user did in `seconds`.
void move_camera(render::CameraRig& rig, const UserInput& user, render::Size size, float seconds);

/// Sits between the user (or a script) and the client: moves the camera, turns what is done into
/// the player's input and asks the server for what needs a right. Draws nothing.
class Pilot {
 public:
  /// `camera`: what to look from instead of what scenes say, or nothing.
  explicit Pilot(Script script, std::optional<state::Camera> camera = std::nullopt)
      : script_(script), camera_(camera) {}

  /// Once per picture. `seconds_playing` counts from the first picture of the world; `seconds` have
  /// passed since the last call.
  void fly(const UserInput& user, client::Client& client, render::Size size, double seconds_playing,
           float seconds);

  /// What to follow instead of one's own body; null: that.
  void set_followed(state::BodyId body) { followed_ = body; }
  /// The same, and the camera goes along from now on.
  void follow(state::BodyId body);

  const render::CameraRig& rig() const { return rig_; }
  const ActionPlanner& planner() const { return planner_; }

 private:
  void obey(Command command, client::Client& client);
  Shown shown_by(const client::Client& client, render::Size size) const;

  state::BodyId followed_;
  ScriptPlayer script_;
  std::optional<state::Camera> camera_;
  render::CameraRig rig_;
  ActionPlanner planner_;
  std::string scene_;          // that the camera was set for
  bool has_followed_ = false;  // the first step of the player's body brought the camera along
};

}  // namespace jostle::controls
