#include "client/controls/script.h"

#include "client/render/shown_bodies.h"

#include <array>
#include <cmath>

namespace jostle::controls {

namespace {

constexpr double round_seconds = 10;
constexpr double drag_from = 5.6, drag_to = 8.0;

/// A walk between two times of a round of the script, in s. `forward` is towards the loose bodies,
/// `right` is to the right of that direction.
struct Walk {
  double from, to;
  float right, forward;
};
constexpr std::array<Walk, 6> walks{{{0.2, 2.2, 0, 1},
                                     {2.2, 3.2, 0.8f, 0.6f},
                                     {3.2, 4.6, 0, 1},
                                     {4.6, 5.4, -0.8f, 0.6f},
                                     {7.6, 8.4, 0, -1},
                                     {8.4, 9.8, 0, 1}}};
// Maximum distance between the player and the bodies that the script walks to, m.
constexpr float interest_radius = 40;

enum class Deed : std::uint8_t { Shoot, Push, Jump };
struct Moment {
  double at;
  Deed deed;
};
constexpr std::array<Moment, 8> moments{{{1.0, Deed::Shoot},
                                         {2.0, Deed::Push},
                                         {2.8, Deed::Shoot},
                                         {3.0, Deed::Push},
                                         {3.8, Deed::Jump},
                                         {4.8, Deed::Shoot},
                                         {8.4, Deed::Jump},
                                         {9.2, Deed::Push}}};

render::ScreenPoint centre_of(render::Size size) {
  return {static_cast<float>(size.width) * 0.5f, static_cast<float>(size.height) * 0.5f};
}

// Returns the screen position of the loose body nearest to the centre of the picture. Loose bodies
// are dynamic and belong to no player. Returns the centre if no loose body is within half the
// picture's height of the centre.
render::ScreenPoint aim(const Shown& shown) {
  const render::ScreenPoint centre = centre_of(shown.size);
  render::ScreenPoint best = centre;
  float best_distance = INFINITY;
  for (const client::ShownBody& body : shown.bodies) {
    if (body.info->motion != state::MotionType::Dynamic || !body.info->owner.is_null()) continue;
    const auto point = render::project(shown.view, shown.size, body.pose.position);
    if (!point) continue;
    const float distance = std::hypot(point->x - centre.x, point->y - centre.y);
    if (distance >= best_distance || distance > centre.y) continue;
    best = *point;
    best_distance = distance;
  }
  return best;
}

// Returns the horizontal direction from the player to the mean position of the loose bodies around
// it. Without a player or bodies, returns the direction of the view.
math::Vec3 way_to_pile(const Shown& shown) {
  const math::Vec3 ahead{shown.view.forward.x, 0, shown.view.forward.z};
  const client::ShownBody* own = render::find_body_of(shown.bodies, shown.player);
  if (own == nullptr) return math::normalized_or(ahead, {0, 0, -1});
  math::Vec3 sum;
  for (const client::ShownBody& body : shown.bodies) {
    if (body.info->motion != state::MotionType::Dynamic || !body.info->owner.is_null()) continue;
    const math::Vec3 offset = body.pose.position - own->pose.position;
    if (math::length(offset) < interest_radius) sum += {offset.x, 0, offset.z};
  }
  return math::normalized_or(sum, math::normalized_or(ahead, {0, 0, -1}));
}

// Sets the movement in `input` that performs `walk`, relative to the view.
void steer(const Walk& walk, const Shown& shown, UserInput& input) {
  const math::Vec3 to_pile = way_to_pile(shown);
  const math::Vec3 beside = math::cross(to_pile, {0, 1, 0});
  const math::Vec3 direction = to_pile * walk.forward + beside * walk.right;
  const math::Vec3 ahead = math::cross({0, 1, 0}, shown.view.right);
  input.right = math::dot(direction, shown.view.right);
  input.forward = math::dot(direction, ahead);
}

}  // namespace

UserInput ScriptPlayer::play(double seconds, const Shown& shown) {
  UserInput input;
  const double time = std::fmod(seconds, round_seconds);
  const double earlier = last_seconds_ - (seconds - time);  // negative: in the round before
  last_seconds_ = seconds;

  for (const Walk& walk : walks) {
    if (time < walk.from || time >= walk.to) continue;
    steer(walk, shown, input);
  }
  if (script_ != Script::Demo) return input;

  input.cursor = centre_of(shown.size);
  for (const Moment& moment : moments) {
    if (moment.at <= earlier || moment.at > time) continue;
    switch (moment.deed) {
      case Deed::Shoot:
        input.shots.push_back(aim(shown));
        break;
      case Deed::Push:
        input.pushes.push_back(aim(shown));
        break;
      case Deed::Jump:
        input.is_jump = true;
        break;
    }
  }
  if (time < drag_from || time >= drag_to) {
    drag_start_.reset();
    return input;
  }
  if (!drag_start_) drag_start_ = aim(shown);
  // Lift the dragged body and swing it once to each side.
  const auto part = static_cast<float>((time - drag_from) / (drag_to - drag_from));
  const auto height = static_cast<float>(shown.size.height);
  input.is_dragging = true;
  input.cursor = {drag_start_->x + std::sin(part * 6.28f) * 0.12f * height,
                  drag_start_->y - std::sin(part * 3.14f) * 0.25f * height};
  return input;
}

}  // namespace jostle::controls
