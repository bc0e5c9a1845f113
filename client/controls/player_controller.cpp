#include "client/controls/player_controller.h"

#include "client/render/shown_bodies.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace jostle::controls {

using state::ControlKind;

namespace {

constexpr float radians_per_pixel = 0.005f;
constexpr float look_rate = 2.6f;   // turn rate at full deflection of the stick, rad/s
constexpr float zoom_rate = 12.0f;  // wheel steps per second
constexpr std::uint32_t steps_of_five = 5;
constexpr std::array<std::uint32_t, 6> rates{5, 10, 25, 50, 100, 200};  // percent

std::uint32_t slower_than(std::uint32_t percent) {
  const auto least = std::ranges::lower_bound(rates, percent);
  return least == rates.begin() ? rates.front() : *std::prev(least);
}

std::uint32_t faster_than(std::uint32_t percent) {
  const auto more = std::ranges::upper_bound(rates, percent);
  return more == rates.end() ? rates.back() : *more;
}

}  // namespace

Shown PlayerController::shown_by(const client::Client& client, render::Size size) const {
  return {client.shown_bodies(), client.status().player, rig_.view(), size, rig_.mode()};
}

void PlayerController::fly(const UserInput& user, client::Client& client, render::Size size,
                           double seconds_playing, float seconds) {
  if (client.status().state != client::ClientState::Playing) return;
  const state::WorldDef& world = client.world();
  const bool is_camera_new = !camera_ && world.camera != scene_camera_;
  if (world.scene_name != scene_ || is_camera_new) {
    scene_ = world.scene_name;
    scene_camera_ = world.camera;
    rig_.set(camera_.value_or(world.camera));
    has_followed_ = false;
  }
  UserInput input = user;
  if (client.scene_status().shoot_on_click) {
    input.shots.insert(input.shots.end(), input.pushes.begin(), input.pushes.end());
    input.pushes.clear();
  }
  if (script_.is_playing()) input = script_.play(seconds_playing, shown_by(client, size));

  for (const Command command : input.commands)
    execute(command, client);
  move_camera(rig_, input, size, seconds);
  const client::ShownBody* own =
      render::find_body_of(client.shown_bodies(), client.status().player);
  const bool is_walking = input.right != 0 || input.forward != 0;
  if (own != nullptr && is_walking && !has_followed_ && !script_.is_playing() &&
      rig_.mode() == render::CameraMode::Orbit) {
    rig_.set_mode(render::CameraMode::Follow);
    has_followed_ = true;
  }
  const client::ShownBody* followed = render::find_body(client.shown_bodies(), followed_);
  if (followed != nullptr && followed->info->motion == state::MotionType::Static)
    followed = nullptr;
  if (followed != nullptr || own != nullptr)
    rig_.follow((followed != nullptr ? followed : own)->pose.position, seconds);
  client.set_input(planner_.plan(input, shown_by(client, size)));
}

void move_camera(render::CameraRig& rig, const UserInput& user, render::Size size, float seconds) {
  // Moving the mouse up turns the view up. In orbit mode, the eye moves down for this.
  rig.turn(user.turn_x * radians_per_pixel, -user.turn_y * radians_per_pixel);
  rig.turn(user.look_x * look_rate * seconds, -user.look_y * look_rate * seconds);
  const float zoom = user.zoom + user.zoom_rate * zoom_rate * seconds;
  if (zoom != 0) rig.zoom(zoom);
  if (user.pan_x != 0 || user.pan_y != 0) {
    const auto height = static_cast<float>(size.height);
    rig.pan(-user.pan_x / height, user.pan_y / height);
  }
  const float rise = (user.is_up ? 1.0f : 0.0f) - (user.is_down ? 1.0f : 0.0f);
  rig.fly(user.right, rise, user.forward, seconds);
}

void PlayerController::execute(Command command, client::Client& client) {
  // The current state is taken from the server, because another client may have changed it.
  const protocol::SceneStatus& now = client.scene_status();
  switch (command) {
    case Command::TogglePause:
      client.request({now.is_paused ? ControlKind::Resume : ControlKind::Pause, 0});
      break;
    case Command::StepOnce:
      client.request({ControlKind::Step, 1});
      break;
    case Command::StepFive:
      client.request({ControlKind::Step, steps_of_five});
      break;
    case Command::Reset:
      client.request({ControlKind::Reset, 0});
      break;
    case Command::ToggleGravity:
      client.request({ControlKind::Gravity, now.is_gravity_off ? 1U : 0U});
      break;
    case Command::Slower:
      client.request({ControlKind::Rate, slower_than(now.rate_percent)});
      break;
    case Command::Faster:
      client.request({ControlKind::Rate, faster_than(now.rate_percent)});
      break;
    case Command::ToggleFly:
      rig_.set_mode(rig_.mode() == render::CameraMode::Fly ? render::CameraMode::Orbit
                                                           : render::CameraMode::Fly);
      break;
    case Command::ToggleFollow:
      if (rig_.mode() != render::CameraMode::Follow) return follow(followed_);
      has_followed_ = true;
      rig_.set_mode(render::CameraMode::Orbit);
      break;
    default:
      break;  // other commands are handled by the window
  }
}

void PlayerController::follow(state::BodyId body) {
  followed_ = body;
  has_followed_ = true;
  rig_.set_mode(render::CameraMode::Follow);
}

}  // namespace jostle::controls
