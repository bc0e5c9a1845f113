#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// Applies Push actions: an impulse at a point of a body, limited to the scene's max_push_impulse.
/// Static and kinematic bodies are not pushed, nor bodies that are not grabbable, except for the
/// player's own body.
///
/// Applies Blast actions: pushes bodies within 6 m of a point away from it, except for the player's
/// own body, with a strength that decreases with distance. A player has one blast per tick, at most
/// 100 m away.
class Pushes final : public Rule {
 public:
  std::string_view name() const override { return "pushes"; }
  void before_step(RuleContext& context) override;
};

/// Returns `v`, shortened to `limit` if it is longer. Returns zero if `v` is not finite. In a
/// recording, a body may be so fast or so light that a spring's impulse overflows, and a world
/// accepts only finite impulses.
math::Vec3 limited(math::Vec3 v, float limit);

/// Returns the body if an action may affect it: alive, enabled, dynamic, and grabbable or the
/// player's own. Returns nothing otherwise.
std::optional<physics::BodyHandle> reachable_body(const RuleContext& context, const Player& player,
                                                  state::BodyId id);

/// Clamps a point in a body's frame to a sphere whose radius is the diagonal of the body's bounding
/// box. Without the clamp, a push could use an arbitrarily long lever arm.
math::Vec3 point_within_reach(const physics::World& world, physics::BodyHandle body,
                              math::Vec3 point_local);

}  // namespace jostle::sim
