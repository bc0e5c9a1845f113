#include "shared/sim/pushes.h"

#include <limits>
#include <utility>

namespace jostle::sim {

math::Vec3 limited(math::Vec3 v, float limit) {
  if (!is_finite(v)) return {};
  const float size = math::length(v);
  return size > limit ? v * (limit / size) : v;
}

std::optional<physics::BodyHandle> reachable_body(const RuleContext& context, const Player& player,
                                                  state::BodyId id) {
  const state::BodyInfo* info = context.bodies.info(id);
  if (info == nullptr || info->motion != state::MotionType::Dynamic) return std::nullopt;
  if (!info->grabbable && info->owner != player.id) return std::nullopt;
  const auto body = context.bodies.find(id);
  return body && context.world.is_enabled(*body) ? body : std::nullopt;
}

math::Vec3 point_within_reach(const physics::World& world, physics::BodyHandle body,
                              math::Vec3 point_local) {
  const math::Aabb box = world.aabb(body);
  return limited(point_local, math::length(box.upper - box.lower));
}

namespace {

constexpr float blast_radius = 6, max_blast_distance = 100;  // m
constexpr float max_blast_speed = 15;                        // m/s

/// Pushes bodies away from the point, or upwards if a body's centre is at the point.
void blast(RuleContext& context, const Player& player, const state::Action& action) {
  const auto own = context.bodies.find(player.body);
  const math::Position centre = math::to_position(action.point);
  if (!own || math::length(centre - context.world.centre_of_mass(*own)) > max_blast_distance)
    return;
  const float speed = math::clamp(action.vector.x, 0.0f, max_blast_speed);
  for (const state::BodyInfo& info : context.bodies.world_def().bodies) {
    const auto body = reachable_body(context, player, info.id);
    if (!body || info.id == player.body) continue;
    const math::Position at = context.world.centre_of_mass(*body);
    const math::Vec3 away = at - centre;
    const float distance = math::length(away);
    if (!(distance < blast_radius)) continue;
    const float share = 1.0f - distance / blast_radius;
    const math::Vec3 change = math::normalized_or(away, {0, 1, 0}) * (speed * share);
    constexpr float any = std::numeric_limits<float>::max();
    context.world.apply_impulse(*body, limited(change * context.world.mass(*body), any), at);
  }
}

}  // namespace

void Pushes::before_step(RuleContext& context) {
  if (!context.scene.player.may_push) return;
  for (const Player& player : context.players.all()) {
    bool has_blasted = false;
    for (const state::Action& action : player.input.actions) {
      if (action.kind == state::ActionKind::Blast && !std::exchange(has_blasted, true))
        blast(context, player, action);
      if (action.kind != state::ActionKind::Push) continue;
      const auto body = reachable_body(context, player, action.body);
      if (!body) continue;
      const math::Vec3 point = point_within_reach(context.world, *body, action.point);
      context.world.apply_impulse(*body,
                                  limited(action.vector, context.scene.player.max_push_impulse),
                                  math::transform_point(context.world.pose(*body), point));
    }
  }
}

}  // namespace jostle::sim
