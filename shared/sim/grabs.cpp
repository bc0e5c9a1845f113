#include "shared/sim/grabs.h"

#include "shared/math/mat3.h"
#include "shared/math/trig.h"
#include "shared/sim/pushes.h"

namespace jostle::sim {
namespace {

/// Returns the impulse of a critically damped spring (ω = 2π·hertz) that pulls `point` of the body
/// to `point + to_target`, for one step of `h` seconds. The spring is integrated implicitly, so it
/// is stable for every mass and lever arm. See Catto, "Soft Constraints", GDC 2011. The impulse J
/// satisfies
///
///   (K + γ·1) J = −(v_p + β/h · C),   K = 1/m·1 − [r]× I⁻¹ [r]×,   C = −to_target
///   with β = h·k / (c + h·k),  γ = 1 / (h·(c + h·k)),  k = m·ω²,  c = 2·m·ω.
///
/// v_p is the velocity of the point, and r its offset from the centre of mass.
math::Vec3 spring_impulse(const physics::World& world, physics::BodyHandle body,
                          math::Position point, math::Vec3 to_target, float hertz, float h) {
  const float m = world.mass(body);
  const float omega = 2.0f * math::pi * hertz;
  const float stiffness = m * omega * omega;
  const float damping = 2.0f * m * omega;
  const float softness = 1.0f / (h * (damping + h * stiffness));
  const float bias_rate = stiffness / (damping + h * stiffness);

  const math::Mat3 rotation = math::to_matrix(world.pose(body).rotation);
  const math::Mat3 inverse_inertia =
      rotation * math::inverse(world.inertia_local(body)) * math::transpose(rotation);
  const math::Mat3 lever = math::skew(point - world.centre_of_mass(body));
  const float diagonal = 1.0f / m + softness;
  const math::Mat3 k =
      math::diagonal({diagonal, diagonal, diagonal}) + lever * inverse_inertia * lever * -1.0f;
  return math::inverse(k) * (to_target * bias_rate - world.velocity_at(body, point));
}

}  // namespace

void Grabs::before_step(RuleContext& context) {
  const scene::ScenePlayer& rules = context.scene.player;
  if (!rules.may_grab) return;
  for (const Player& player : context.players.all()) {
    for (const state::Action& action : player.input.actions) {
      if (action.kind != state::ActionKind::Grab) continue;
      const auto body = reachable_body(context, player, action.body);
      if (!body) continue;
      const math::Vec3 local = point_within_reach(context.world, *body, action.point);
      const math::Position point = math::transform_point(context.world.pose(*body), local);
      const math::Vec3 to_target = math::to_position(action.vector) - point;
      const math::Vec3 impulse = spring_impulse(context.world, *body, point, to_target,
                                                rules.grab_hertz, context.step_seconds);
      context.world.apply_impulse(
          *body, limited(impulse, rules.max_grab_force * context.step_seconds), point);
    }
  }
}

}  // namespace jostle::sim
