/* Debug drawing: reports the contents of a world as points, lines, triangles and solids. */
#ifndef JOSTLE_PHYSICS_DEBUG_DRAW_H
#define JOSTLE_PHYSICS_DEBUG_DRAW_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The meaning of a primitive. */
typedef int32_t jostle_draw_kind;
enum {
  JOSTLE_DRAW_STATIC_SHAPE = 0,
  JOSTLE_DRAW_KINEMATIC_SHAPE = 1,
  JOSTLE_DRAW_AWAKE_SHAPE = 2,
  JOSTLE_DRAW_SLEEPING_SHAPE = 3,
  JOSTLE_DRAW_SENSOR_SHAPE = 4,
  JOSTLE_DRAW_AABB = 5,
  JOSTLE_DRAW_FAT_AABB = 6, /* bounds that the search for pairs uses */
  JOSTLE_DRAW_CONTACT_POINT = 7,
  JOSTLE_DRAW_CONTACT_NORMAL = 8,
  JOSTLE_DRAW_CONTACT_IMPULSE = 9,
  JOSTLE_DRAW_FRICTION_IMPULSE = 10,
  JOSTLE_DRAW_JOINT_FRAME = 11, /* three lines per anchor; jostle_draw_label.axis tells which */
  JOSTLE_DRAW_JOINT_ARM = 12,
  JOSTLE_DRAW_JOINT_LINK = 13,
  JOSTLE_DRAW_JOINT_LIMIT = 14,
  JOSTLE_DRAW_JOINT_IMPULSE = 15,
  JOSTLE_DRAW_CENTRE_OF_MASS = 16,
  JOSTLE_DRAW_LINEAR_VELOCITY = 17,
  JOSTLE_DRAW_ANGULAR_VELOCITY = 18,
  JOSTLE_DRAW_ISLAND = 19,
  JOSTLE_DRAW_KIND_COUNT = 20
};

/** The settings of debug drawing. */
typedef struct jostle_debug_draw_def {
  size_t size;
  uint32_t kinds;               /* one bit per jostle_draw_kind, bit 0 for kind 0 */
  jostle_bool has_box;          /* 1: only what lies in `box` is drawn */
  jostle_aabb box;              /* if has_box is 1 */
  float impulse_scale;          /* m per N·s */
  float velocity_scale;         /* m per m/s */
  float angular_velocity_scale; /* m per rad/s */
  float normal_length;          /* m */
  float axis_length;            /* m: axes of joint frames, and limits */
  float plane_half_size;        /* m: half size of the square that stands for a plane */
} jostle_debug_draw_def;

/** Writes the default, which draws everything. */
JOSTLE_DEFINE_DEFAULT(jostle_debug_draw_def)

/** Attributes of a primitive. */
typedef struct jostle_draw_label {
  jostle_draw_kind kind; /* meaning of the primitive */
  jostle_body body;      /* null for an island */
  uint32_t island;       /* number of the island, or UINT32_MAX */
  uint32_t axis;         /* 0 to 2 for x to z, of JOSTLE_DRAW_JOINT_FRAME */
} jostle_draw_label;

/** Functions that receive the primitives; null functions are not called. Positions are in the
 * world. They must neither throw exceptions nor change the world. */
typedef struct jostle_draw_receiver {
  size_t size;
  void* user; /* first argument of all functions */
  void (*point)(void* user, jostle_position at, const jostle_draw_label* label); /* a point */
  void (*line)(void* user, jostle_position from, jostle_position to,
               const jostle_draw_label* label); /* a line */
  void (*triangle)(void* user, const jostle_position corners[3],
                   const jostle_draw_label* label); /* a triangle, counter-clockwise */
  void (*sphere)(void* user, const jostle_pose* pose, float radius,
                 const jostle_draw_label* label); /* a sphere */
  void (*box)(void* user, const jostle_pose* pose, jostle_vec3 half_extents,
              const jostle_draw_label* label); /* a box */
  /* A capsule along y. */
  void (*capsule)(void* user, const jostle_pose* pose, float radius, float half_height,
                  const jostle_draw_label* label);
  /* A cylinder along y; a cone has the top radius 0. */
  void (*cylinder)(void* user, const jostle_pose* pose, float bottom_radius, float top_radius,
                   float half_height, const jostle_draw_label* label);
} jostle_draw_receiver;

/** Writes a receiver without functions. */
JOSTLE_DEFINE_DEFAULT(jostle_draw_receiver)
/** Draws a world as the last step or call left it. */
JOSTLE_API jostle_result jostle_world_debug_draw(jostle_world world,
                                                 const jostle_debug_draw_def* def,
                                                 const jostle_draw_receiver* receiver);

#ifdef __cplusplus
}
#endif

#endif
