// The C++ program of bench/python_step.py: 1,000 boxes fall onto the ground.
//
// python_step STEPS [read]: with `read`, it also reads the poses of all bodies after each step.
#include <jostle/physics.hpp>

#include <cstdlib>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 1;
  const bool reads = argc > 2 && std::string_view(argv[2]) == "read";
  const jostle::World world;
  world.create_body(jostle::body_def(JOSTLE_MOTION_STATIC, {0, 0, 0}), {jostle::shapes::plane()});
  for (int i = 0; i < 1000; ++i) {
    const jostle_position place{1.1 * (i % 10), 0.6 + 1.1 * (i / 100), 1.1 * (i / 10 % 10)};
    world.create_body(jostle::body_def(JOSTLE_MOTION_DYNAMIC, place),
                      {jostle::shapes::box({0.5F, 0.5F, 0.5F})});
  }
  std::vector<jostle_pose> poses;
  for (int i = 0; i < steps; ++i) {
    world.step();
    if (reads) world.read_poses(poses);
  }
}
