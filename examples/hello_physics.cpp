// A chain of boxes hangs from the ceiling and is hit by a ball, in C++.
//
// c++ -std=c++20 hello_physics.cpp $(pkg-config --cflags --libs jostle) -o hello_physics_cpp
#include <jostle/physics.hpp>

#include <cstdio>
#include <vector>

int main() {
  const jostle::World world;
  const auto add = [&](jostle_motion motion, jostle_position position, jostle_shape_def shape) {
    return world.create_body(jostle::body_def(motion, position), {shape});
  };
  std::vector links{add(JOSTLE_MOTION_STATIC, {0, 6, 0}, jostle::shapes::box({0.1f, 0.1f, 0.1f}))};
  for (int i = 1; i <= 5; ++i) {
    links.push_back(
        add(JOSTLE_MOTION_DYNAMIC, {0, 6.0 - i, 0}, jostle::shapes::box({0.2f, 0.2f, 0.2f})));
    world.create_joint(world.joint_at(JOSTLE_JOINT_BALL, links[i - 1], links[i], {0, 6.5 - i, 0}));
  }
  const jostle::Body ball = add(JOSTLE_MOTION_DYNAMIC, {-3, 1.2, 0}, jostle::shapes::sphere(0.3f));
  ball.set_velocity({12, 1, 0});
  world.step(60);

  std::vector<jostle_pose> poses;  // of all bodies, in one call
  world.read_poses(poses);
  for (std::size_t i = 0; i < links.size(); ++i)
    std::printf("link %zu: x %4.1f m, y %4.1f m\n", i, poses[i].position.x, poses[i].position.y);
}
