// The world of same_hash.py through the C++ headers. Prints its hash after 600 steps.
#include <jostle/physics.hpp>

#include <cstdio>

namespace shapes = jostle::shapes;

int main() {
  const jostle::World world;
  const auto add = [&](jostle_motion motion, jostle_position position, jostle_shape_def shape) {
    return world.create_body(jostle::body_def(motion, position), {shape});
  };
  add(JOSTLE_MOTION_STATIC, {0, 0, 0}, shapes::plane());
  for (int row = 0; row < 6; ++row)
    for (int i = row; i < 6; ++i)
      add(JOSTLE_MOTION_DYNAMIC, {i - 0.5 * row, 0.5 + row, 0}, shapes::box({0.5F, 0.5F, 0.5F}));
  const auto post = add(JOSTLE_MOTION_STATIC, {10, 4, 0}, shapes::box({0.25F, 0.25F, 0.25F}));
  const auto arm = add(JOSTLE_MOTION_DYNAMIC, {12, 4, 0}, shapes::capsule(0.5F, 0.5F));
  jostle_joint_def joint = world.joint_at(JOSTLE_JOINT_HINGE, post, arm, {10, 4, 0}, {0, 0, 1});
  joint.motor = {1, 2, 5000};
  world.create_joint(joint);
  const auto ball = add(JOSTLE_MOTION_DYNAMIC, {-8, 2, 0.25}, shapes::sphere(0.75F));
  ball.set_velocity({15, 3, 0});
  world.step(600);
  std::printf("%016llx\n", static_cast<unsigned long long>(world.hash()));
}
