#include "tools/workload/script.h"

#include <variant>

namespace jostle::workload {
namespace {

void push_body(std::uint32_t body, const state::PushEffect& effect, const EngineControls& hands) {
  if (const auto* shove = std::get_if<state::Shove>(&effect)) {
    hands.push(body, shove->impulse, shove->point);
  } else if (const auto* drive = std::get_if<state::Drive>(&effect)) {
    hands.drive(body, drive->velocity);
  } else {
    hands.push(body, impulse_of(std::get<state::Pull>(effect), hands.look(body)), {});
  }
}

}  // namespace

void act(const Scene& scene, int step, const EngineControls& hands) {
  const auto number = static_cast<std::uint32_t>(step);
  for (const BodyKinematicMotion& each : scene.kinematic_motions) {
    hands.move(each.body,
               state::pose_at(each.kinematic_motion, each.start, number + 1, scene.step_seconds));
  }
  for (const state::Push& push : scene.pushes) {
    const auto effect = state::effect_of(push, number, scene.step_seconds);
    if (!effect) continue;
    for (const std::uint32_t body : push.bodies)
      push_body(body, *effect, hands);
  }
}

}  // namespace jostle::workload
