#include "client/controls/action_planner.h"

#include "client/render/picking.h"
#include "client/render/shown_bodies.h"
#include "shared/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>

namespace jostle::controls {

using math::Vec3;

namespace {

constexpr float shot_speed = 32;        // m/s
constexpr float min_shot_start = 1.0f;  // minimum distance of a new ball from the eye, m
// Maximum distance of a new ball from its target, m. If the camera is farther away, the ball starts
// closer to the target than the eye: otherwise it would fall short.
constexpr float max_shot_flight = 18.0f;
constexpr float drop_height = 1.5f;  // of a spawned crate above the point under the cursor, m
constexpr float blast_speed = 8;     // m/s
constexpr float push_density = 400;  // kg/m³, a full wooden crate
constexpr float push_speed = 3;      // m/s
constexpr float min_push_impulse = 1, max_push_impulse = 200;  // N·s

bool is_dynamic(const client::ShownBody& body) {
  return body.info->motion == state::MotionType::Dynamic;
}

state::Action shoot(const Shown& shown, render::ScreenPoint cursor) {
  const render::Ray ray = render::ray_through(shown.view, shown.size, cursor);
  const std::optional<render::Pick> hit = pick(ray, shown.bodies, shown.player);
  float start = min_shot_start;
  if (hit) start = std::max(start, hit->distance - max_shot_flight);
  state::Action action;
  action.kind = state::ActionKind::Shoot;
  action.point = math::to_vec3(ray.origin + ray.direction * start);
  action.vector = ray.direction * shot_speed;
  return action;
}

std::optional<state::Action> push(const Shown& shown, render::ScreenPoint cursor) {
  const render::Ray ray = render::ray_through(shown.view, shown.size, cursor);
  const std::optional<render::Pick> hit = pick(ray, shown.bodies, shown.player);
  if (!hit || !is_dynamic(*hit->body)) return std::nullopt;
  state::Action action;
  action.kind = state::ActionKind::Push;
  action.body = hit->body->info->id;
  action.point = hit->point_local;
  action.vector = ray.direction * push_impulse(*hit->body->info);
  return action;
}

/// Returns the action that spawns a crate above the point under the cursor, or 18 m in front of the
/// eye if there is no body.
state::Action spawn(const Shown& shown, render::ScreenPoint cursor) {
  const render::Ray ray = render::ray_through(shown.view, shown.size, cursor);
  const std::optional<render::Pick> hit = pick(ray, shown.bodies, shown.player);
  state::Action action;
  action.kind = state::ActionKind::Spawn;
  action.point = hit ? math::to_vec3(hit->position) + Vec3{0, drop_height, 0}
                     : math::to_vec3(ray.origin + ray.direction * max_shot_flight);
  return action;
}

std::optional<state::Action> blast(const Shown& shown, render::ScreenPoint cursor) {
  const render::Ray ray = render::ray_through(shown.view, shown.size, cursor);
  const std::optional<render::Pick> hit = pick(ray, shown.bodies, shown.player);
  if (!hit) return std::nullopt;
  return state::Action{
      state::ActionKind::Blast, {}, math::to_vec3(hit->position), {blast_speed, 0, 0}};
}

// Returns the horizontal forward direction of the camera. If the camera looks straight down, this
// is the direction of the top of the picture.
Vec3 heading(const render::View& view) {
  const Vec3 forward{view.forward.x, 0, view.forward.z};
  return math::normalized_or(forward, {view.up.x, 0, view.up.z});
}

}  // namespace

state::PlayerInput ActionPlanner::plan(const UserInput& user, const Shown& shown) {
  state::PlayerInput input;
  if (shown.player.is_null()) {
    grab_.reset();
    hovered_ = {};
    return input;
  }
  if (shown.camera_mode != render::CameraMode::Fly) {
    const Vec3 move = shown.view.right * user.right + heading(shown.view) * user.forward;
    input.move_x = move.x;
    input.move_z = move.z;
    if (user.is_jump) input.buttons |= state::button_jump;
    if (user.is_pull) input.buttons |= state::button_pull;
    if (user.is_repel) input.buttons |= state::button_push;
  }

  update_grab(user, shown);
  if (grab_) {
    state::Action drag;
    drag.kind = state::ActionKind::Grab;
    drag.body = grab_->body;
    drag.point = grab_->point_local;
    drag.vector = math::to_vec3(grab_->target);
    input.actions.push_back(drag);
  }
  for (const render::ScreenPoint cursor : user.shots) {
    if (input.actions.size() == state::max_actions_per_input) break;
    input.actions.push_back(shoot(shown, cursor));
  }
  for (const render::ScreenPoint cursor : user.spawns) {
    if (input.actions.size() == state::max_actions_per_input) break;
    input.actions.push_back(spawn(shown, cursor));
  }
  for (const render::ScreenPoint cursor : user.blasts) {
    if (input.actions.size() == state::max_actions_per_input) break;
    if (const auto action = blast(shown, cursor)) input.actions.push_back(*action);
  }
  for (const render::ScreenPoint cursor : user.pushes) {
    if (input.actions.size() == state::max_actions_per_input) break;
    if (const auto action = push(shown, cursor)) input.actions.push_back(*action);
  }
  return input;
}

void ActionPlanner::update_grab(const UserInput& user, const Shown& shown) {
  const render::Ray ray = render::ray_through(shown.view, shown.size, user.cursor);
  const float along = math::max_of(math::dot(ray.direction, shown.view.forward), 0.1f);
  hovered_ = {};
  if (!user.is_dragging) {
    grab_.reset();
    if (user.is_aiming_drag) {
      const std::optional<render::Pick> hit = pick(ray, shown.bodies, shown.player);
      if (hit && is_dynamic(*hit->body) && hit->body->info->grabbable) {
        hovered_ = hit->body->info->id;
      }
    }
  } else if (!was_dragging_) {
    const std::optional<render::Pick> hit = pick(ray, shown.bodies, shown.player);
    if (hit && is_dynamic(*hit->body) && hit->body->info->grabbable) {
      grab_ = Grab{hit->body->info->id, hit->point_local, hit->distance * along, hit->position};
    }
  }
  was_dragging_ = user.is_dragging;
  if (!grab_) return;
  if (render::find_body(shown.bodies, grab_->body) == nullptr) {
    grab_.reset();
    return;
  }
  grab_->target = ray.origin + ray.direction * (grab_->depth / along);
}

float push_impulse(const state::BodyInfo& body) {
  float total = 0;
  for (const state::BodyShape& part : body.shapes)
    total += geometry::volume(part.shape);
  return math::clamp(total * push_density * push_speed, min_push_impulse, max_push_impulse);
}

}  // namespace jostle::controls
