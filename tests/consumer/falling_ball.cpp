// Drops a ball onto the ground for two seconds and prints its final height.
#include "shared/physics/world.h"

#include <cmath>
#include <cstdio>

int main() {
  namespace physics = jostle::physics;
  namespace state = jostle::state;
  constexpr float radius = 0.5f;

  physics::World world(physics::WorldOptions{});
  const physics::BodyHandle ground =
      world.create_body({.motion = state::MotionType::Static, .pose = {}});
  world.add_shape(ground, {.shape = state::plane(), .local = {}});
  physics::BodyDef def;
  def.pose.position = {0, 3, 0};
  const physics::BodyHandle ball = world.create_body(def);
  world.add_shape(ball, {.shape = state::sphere(radius), .local = {}});

  for (int tick = 0; tick < 120; ++tick)
    world.step();
  const double height = world.pose(ball).position.y;
  std::printf("height %.3f m\n", height);
  return std::abs(height - radius) < 0.01 ? 0 : 1;
}
