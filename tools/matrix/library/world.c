/* The world of same_hash.py through the C API. Prints its hash after 600 steps. */
#include <jostle/physics.h>
#include <stdio.h>
#include <stdlib.h>

static jostle_world world;

static void check(jostle_result result) {
  if (result == JOSTLE_OK) return;
  fprintf(stderr, "%s\n", jostle_last_error());
  exit(1);
}

static jostle_body add(jostle_motion motion, double x, double y, double z, jostle_shape_def shape) {
  jostle_body_def def;
  jostle_body body;
  check(jostle_body_def_default(&def));
  def.motion = motion;
  def.pose.position = (jostle_position){x, y, z};
  check(jostle_body_create(world, &def, &body));
  check(jostle_shape_create(world, body, &shape, NULL));
  return body;
}

static jostle_shape_def shape_of(jostle_shape_kind kind, float size) {
  jostle_shape_def shape;
  check(jostle_shape_def_default(&shape));
  shape.kind = kind;
  shape.radius = size;
  shape.half_height = size;
  shape.half_extents = (jostle_vec3){size, size, size};
  return shape;
}

int main(void) {
  jostle_world_def def;
  check(jostle_world_def_default(&def));
  check(jostle_world_create(&def, &world));
  add(JOSTLE_MOTION_STATIC, 0, 0, 0, shape_of(JOSTLE_SHAPE_PLANE, 0.5f));
  for (int row = 0; row < 6; ++row)
    for (int i = row; i < 6; ++i)
      add(JOSTLE_MOTION_DYNAMIC, i - 0.5 * row, 0.5 + row, 0, shape_of(JOSTLE_SHAPE_BOX, 0.5f));
  const jostle_body post = add(JOSTLE_MOTION_STATIC, 10, 4, 0, shape_of(JOSTLE_SHAPE_BOX, 0.25f));
  const jostle_body arm =
      add(JOSTLE_MOTION_DYNAMIC, 12, 4, 0, shape_of(JOSTLE_SHAPE_CAPSULE, 0.5f));
  jostle_joint_def joint;
  joint.size = sizeof joint;
  check(jostle_joint_def_at(world, JOSTLE_JOINT_HINGE, post, arm, (jostle_position){10, 4, 0},
                            (jostle_vec3){0, 0, 1}, &joint));
  joint.motor = (jostle_joint_motor){1, 2, 5000};
  check(jostle_joint_create(world, &joint, NULL));
  const jostle_body ball =
      add(JOSTLE_MOTION_DYNAMIC, -8, 2, 0.25, shape_of(JOSTLE_SHAPE_SPHERE, 0.75f));
  check(jostle_body_set_velocity(world, ball, (jostle_vec3){15, 3, 0}, (jostle_vec3){0, 0, 0}));
  check(jostle_world_steps(world, 600));
  jostle_state_hash hash;
  hash.size = sizeof hash;
  check(jostle_world_get_hash(world, &hash));
  printf("%016llx\n", (unsigned long long)hash.total);
  return 0;
}
