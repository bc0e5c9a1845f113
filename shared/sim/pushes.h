#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// Push actions: an impulse at a point of a body, no larger than the scene lets a player push.
/// Bodies that are static, kinematic or not grabbable do not feel it; one's own body does.
///
/// Blast actions: all that a push moves within 6 m of a point, but one's own body, is driven away
/// from it, less the farther it is; one in a tick, not farther than 100 m from the player.
class Pushes final : public Rule {
 public:
  std::string_view name() const override { return "pushes"; }
  void before_step(Stage& stage) override;
};

/// `v`, shortened to `limit` when it is longer. What is not finite is zero: the body of a
/// recording may be so fast or so light that a spring's impulse on it overflows, and a world takes
/// finite ones only.
math::Vec3 limited(math::Vec3 v, float limit);

/// The body that an action may touch: alive, dynamic, and grabbable or the player's own. Else
/// nothing.
std::optional<physics::BodyHandle> reachable_body(const Stage& stage, const Player& player,
                                                  state::BodyId id);

/// A point in a body's frame, brought within the sphere around its bounding box: a push at a far
/// lever is not a push at the body.
math::Vec3 point_within_reach(const physics::World& world, physics::BodyHandle body,
                              math::Vec3 point_local);

}  // namespace jostle::sim
