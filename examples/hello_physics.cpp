// A chain of boxes hangs from the ceiling and is hit by a ball, in C++ with the C headers.
//
// c++ -std=c++20 hello_physics.cpp $(pkg-config --cflags --libs jostle) -o hello_physics_cpp
#include <jostle/physics.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(jostle_result result) {
  if (result == JOSTLE_OK) return;
  std::fprintf(stderr, "%s\n", jostle_last_error());
  std::exit(1);
}

static jostle_body add_body(jostle_world world, jostle_motion motion, jostle_position position,
                            jostle_shape_kind kind, float size) {
  jostle_body_def def;
  check(jostle_body_def_default(&def));
  def.motion = motion;
  def.pose.position = position;
  jostle_body body;
  check(jostle_body_create(world, &def, &body));
  jostle_shape_def shape;
  check(jostle_shape_def_default(&shape));
  shape.kind = kind;
  shape.radius = size;
  shape.half_extents = {size, size, size};
  check(jostle_shape_create(world, body, &shape, nullptr));
  return body;
}

int main() {
  jostle_world_def def;
  check(jostle_world_def_default(&def));
  jostle_world world;
  check(jostle_world_create(&def, &world));
  std::vector links{add_body(world, JOSTLE_MOTION_STATIC, {0, 6, 0}, JOSTLE_SHAPE_BOX, 0.1f)};
  for (int i = 1; i <= 5; ++i) {
    links.push_back(
        add_body(world, JOSTLE_MOTION_DYNAMIC, {0, 6.0 - i, 0}, JOSTLE_SHAPE_BOX, 0.2f));
    jostle_joint_def joint;
    joint.size = sizeof joint;
    check(jostle_joint_def_at(world, JOSTLE_JOINT_BALL, links[i - 1], links[i], {0, 6.5 - i, 0},
                              {0, 1, 0}, &joint));
    check(jostle_joint_create(world, &joint, nullptr));
  }
  const jostle_body ball =
      add_body(world, JOSTLE_MOTION_DYNAMIC, {-3, 1.2, 0}, JOSTLE_SHAPE_SPHERE, 0.3f);
  check(jostle_body_set_velocity(world, ball, {12, 1, 0}, {0, 0, 0}));
  check(jostle_world_steps(world, 60));
  std::vector<double> positions(3 * links.size());
  jostle_body_arrays arrays;
  check(jostle_body_arrays_default(&arrays));
  arrays.positions = positions.data();
  check(jostle_bodies_read(world, links.data(), links.size(), &arrays));
  for (std::size_t i = 0; i < links.size(); ++i)
    std::printf("link %zu: x %4.1f m, y %4.1f m\n", i, positions[3 * i], positions[3 * i + 1]);
  return jostle_world_destroy(world);
}
