/* A box falls onto the ground, in C.
 *
 * cc hello_physics.c $(pkg-config --cflags --libs jostle) -o hello_physics
 */
#include <jostle/physics.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the message of the library if a call failed. */
static void check(jostle_result result) {
  if (result == JOSTLE_OK) return;
  fprintf(stderr, "%s\n", jostle_last_error());
  exit(1);
}

int main(void) {
  jostle_world_def world_def;
  jostle_world world;
  check(jostle_world_def_default(&world_def));
  check(jostle_world_create(&world_def, &world));

  /* The ground: a static body with a plane. */
  jostle_body_def body_def;
  jostle_body ground;
  check(jostle_body_def_default(&body_def));
  body_def.motion = JOSTLE_MOTION_STATIC;
  check(jostle_body_create(world, &body_def, &ground));
  jostle_shape_def shape_def;
  check(jostle_shape_def_default(&shape_def));
  shape_def.kind = JOSTLE_SHAPE_PLANE;
  check(jostle_shape_create(world, ground, &shape_def, NULL));

  /* A box with an edge of 1 m, 4 m above the ground. */
  jostle_body box;
  body_def.motion = JOSTLE_MOTION_DYNAMIC;
  body_def.pose.position.y = 4;
  check(jostle_body_create(world, &body_def, &box));
  shape_def.kind = JOSTLE_SHAPE_BOX;
  check(jostle_shape_create(world, box, &shape_def, NULL));

  for (int step = 0; step <= 120; ++step) {
    jostle_pose pose;
    check(jostle_body_get_pose(world, box, &pose));
    if (step % 20 == 0) printf("%.2f s: height %.3f m\n", step / 60.0, pose.position.y);
    check(jostle_world_step(world));
  }
  check(jostle_world_destroy(world));
  return 0;
}
