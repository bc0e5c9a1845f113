#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// The rule for Push and Blast actions, in scenes whose players may push.
///
/// Push applies an impulse at a point of a body, limited to the scene's max_push_impulse. The body
/// must be dynamic, and grabbable or owned by the player.
///
/// Blast pushes the same kind of bodies, except the player's own, away from a point. The change of
/// velocity falls linearly from the action's speed (at most 15 m/s) at the point to 0 at a distance
/// of 6 m. A player has one blast per tick, at most 100 m away from its body.
class Pushes final : public Rule {
 public:
  std::string_view name() const override { return "pushes"; }
  std::unique_ptr<Rule> another() const override { return std::make_unique<Pushes>(); }
  void before_step(RuleContext& context) override;
};

/// Returns `v`, shortened to `limit` if it is longer, or zero if `v` is not finite. In a recording,
/// a body may be so fast or so light that a spring's impulse overflows, and a world accepts only
/// finite impulses.
math::Vec3 limited(math::Vec3 v, float limit);

/// Returns the body if a player's action may affect it: alive, enabled, dynamic, and grabbable or
/// owned by the player. Returns nothing otherwise.
std::optional<physics::BodyHandle> reachable_body(const RuleContext& context, const Player& player,
                                                  state::BodyId id);

/// Returns the point in a body's frame, clamped to a sphere whose radius is the diagonal of the
/// body's bounding box. Without the clamp, a push could use an arbitrarily long lever arm.
math::Vec3 point_within_reach(const physics::World& world, physics::BodyHandle body,
                              math::Vec3 point_local);

}  // namespace jostle::sim
