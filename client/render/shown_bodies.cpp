#include "client/render/shown_bodies.h"

#include <algorithm>

namespace jostle::render {

const client::ShownBody* find_body(std::span<const client::ShownBody> bodies, state::BodyId id) {
  const auto found = std::lower_bound(
      bodies.begin(), bodies.end(), id,
      [](const client::ShownBody& body, state::BodyId wanted) { return body.info->id < wanted; });
  if (found == bodies.end() || found->info->id != id) return nullptr;
  return &*found;
}

const client::ShownBody* find_body_of(std::span<const client::ShownBody> bodies,
                                      state::PlayerId player) {
  if (player.is_null()) return nullptr;
  const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const client::ShownBody& body) {
    return body.info->owner == player;
  });
  return found == bodies.end() ? nullptr : &*found;
}

std::vector<const client::ShownBody*> player_bodies(std::span<const client::ShownBody> bodies) {
  std::vector<const client::ShownBody*> firsts;
  for (const client::ShownBody& body : bodies) {
    if (body.info->owner.is_null()) continue;
    const bool is_first = std::none_of(firsts.begin(), firsts.end(), [&](const auto* other) {
      return other->info->owner == body.info->owner;
    });
    if (is_first) firsts.push_back(&body);
  }
  return firsts;
}

std::vector<client::ShownBody> ghosts_of(std::span<const client::ShownBody> newest,
                                         std::span<const client::ShownBody> shown) {
  constexpr float least_distance = 0.005f;  // m
  std::vector<client::ShownBody> ghosts;
  for (const client::ShownBody& body : newest) {
    if (body.info->motion == state::MotionType::Static) continue;
    const client::ShownBody* const there = find_body(shown, body.info->id);
    const bool is_elsewhere =
        there == nullptr ||
        math::length(body.pose.position - there->pose.position) > least_distance;
    if (is_elsewhere) ghosts.push_back(body);
  }
  return ghosts;
}

}  // namespace jostle::render
