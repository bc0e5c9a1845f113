#include "shared/sim/pushes.h"

namespace jostle::sim {

math::Vec3 limited(math::Vec3 v, float limit) {
  if (!is_finite(v)) return {};
  const float size = math::length(v);
  return size > limit ? v * (limit / size) : v;
}

std::optional<physics::BodyHandle> reachable_body(const Stage& stage, const Player& player,
                                                  state::BodyId id) {
  const state::BodyInfo* info = stage.bodies.info(id);
  if (info == nullptr || info->motion != state::MotionType::Dynamic) return std::nullopt;
  if (!info->grabbable && info->owner != player.id) return std::nullopt;
  const auto body = stage.bodies.find(id);
  return body && stage.world.is_enabled(*body) ? body : std::nullopt;
}

math::Vec3 point_within_reach(const physics::World& world, physics::BodyHandle body,
                              math::Vec3 point_local) {
  const math::Aabb box = world.aabb(body);
  return limited(point_local, math::length(box.upper - box.lower));
}

void Pushes::before_step(Stage& stage) {
  if (!stage.scene.player.may_push) return;
  for (const Player& player : stage.players.all()) {
    for (const state::Action& action : player.input.actions) {
      if (action.kind != state::ActionKind::Push) continue;
      const auto body = reachable_body(stage, player, action.body);
      if (!body) continue;
      const math::Vec3 point = point_within_reach(stage.world, *body, action.point);
      stage.world.apply_impulse(*body, limited(action.vector, stage.scene.player.max_push_impulse),
                                math::transform_point(stage.world.pose(*body), point));
    }
  }
}

}  // namespace jostle::sim
