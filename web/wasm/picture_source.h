#pragma once

#include "client/controls/user_input.h"
#include "client/render/instances.h"

#include <vector>

namespace jostle::web {

/// The source of the picture: a client, or the player of a recording.
class PictureSource {
 public:
  virtual ~PictureSource() = default;

  /// Advances the world and moves the camera. `seconds` is the time since the last call.
  virtual void advance(const controls::UserInput& user, render::Size size, float seconds) = 0;
  /// Returns true if there is a world to draw.
  virtual bool is_ready() const = 0;
  /// Returns the picture of the world, without the selected body and the user's draw modes. Valid
  /// until the next advance().
  virtual render::Picture picture() = 0;

  /// Sets the camera until the scene changes.
  virtual void look(const state::Camera& camera) = 0;
  virtual const render::CameraRig& rig() const = 0;
  /// Follows a body, or the own player's body if the id is null.
  virtual void follow(state::BodyId body) = 0;
};

/// Returns the current source; null if there is none. set_source() keeps a pointer.
PictureSource* source();
void set_source(PictureSource* source);

/// The user's choices that apply to every source.
struct ViewChoice {
  render::BodyLook look = render::BodyLook::Solid;
  bool is_sleep_shown = true;
  bool are_ghosts_shown = false;
  state::BodyId selected;
  state::DebugDrawLayers layers = 0;
  bool wants_statistics = false;
};
ViewChoice& view_choice();

}  // namespace jostle::web
