#include "tools/workload/script.h"

#include "shared/math/trig.h"

namespace jostle::workload {
namespace {

using math::Vec3;

/// Follows (10 sin(2πt/5), 10 sin(2πt/3.5 + 1)) in x and z: a spring and a damper in unit mass.
void drive_cube(const Scene& scene, float time, const Hands& hands) {
  constexpr float reach = 10, stiffness = 20, damping = 6, max_acceleration = 40;
  const auto cube = static_cast<std::uint32_t>(scene.bodies.size() - 1);
  const Vec3 target{reach * math::sin_cos(2 * math::pi * time / 5).sin, 0,
                    reach * math::sin_cos(2 * math::pi * time / 3.5f + 1).sin};
  Vec3 acceleration = stiffness * (target - hands.position(cube)) - damping * hands.velocity(cube);
  acceleration.y = 0;
  const float size = length(acceleration);
  if (size > max_acceleration) acceleration *= max_acceleration / size;
  hands.push(cube, scene.bodies[cube].mass * scene.step_seconds * acceleration);
}

void turn_each_hundredth(const Scene& scene, float time, const Hands& hands) {
  const math::SinCos turn = math::sin_cos(math::pi * time);
  for (std::uint32_t body = 1; body < scene.bodies.size(); body += 100)
    hands.drive(body, {turn.sin, 0, turn.cos});
}

}  // namespace

void act(const Scene& scene, int step, const Hands& hands) {
  const float time = static_cast<float>(step) * scene.step_seconds;
  if (scene.script == Script::DrivenCube) drive_cube(scene, time, hands);
  if (scene.script == Script::TurningHundredth) turn_each_hundredth(scene, time, hands);
}

}  // namespace jostle::workload
