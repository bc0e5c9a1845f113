/* Events of the last step, and contacts.
 *
 * All functions list elements, sorted by handles. `stride` is the distance of two elements of the
 * array in bytes. It is at least the size of an element; 0 stands for that size. If the array is
 * null and `capacity` is 0, only `count` is written.
 */
#ifndef JOSTLE_PHYSICS_EVENTS_H
#define JOSTLE_PHYSICS_EVENTS_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Two shapes that began or stopped touching, or a sensor (a) and a shape (b) that began or stopped
 *  overlapping it. After the end of a contact or an overlap, the shapes may no longer exist. */
typedef struct jostle_shape_pair {
  jostle_shape a, b; /* in the order of their handles, or sensor and shape */
} jostle_shape_pair;

/** Lists the pairs of shapes that began to touch. */
JOSTLE_API jostle_result jostle_world_get_contact_begins(jostle_world world,
                                                         jostle_shape_pair* events, size_t stride,
                                                         size_t capacity, size_t* count);
/** Lists the pairs of shapes that stopped touching. */
JOSTLE_API jostle_result jostle_world_get_contact_ends(jostle_world world,
                                                       jostle_shape_pair* events, size_t stride,
                                                       size_t capacity, size_t* count);
/** Lists the sensors (a) and shapes (b) that began to overlap. */
JOSTLE_API jostle_result jostle_world_get_sensor_begins(jostle_world world,
                                                        jostle_shape_pair* events, size_t stride,
                                                        size_t capacity, size_t* count);
/** Lists the sensors (a) and shapes (b) that stopped overlapping. */
JOSTLE_API jostle_result jostle_world_get_sensor_ends(jostle_world world, jostle_shape_pair* events,
                                                      size_t stride, size_t capacity,
                                                      size_t* count);

/** Two shapes that collided faster than the restitution threshold of the world. */
typedef struct jostle_contact_hit {
  jostle_shape a, b;     /* the shapes that collided */
  jostle_position point; /* m */
  jostle_vec3 normal;    /* unit normal from a to b */
  float approach_speed;  /* m/s */
} jostle_contact_hit;

/** Lists the collisions. */
JOSTLE_API jostle_result jostle_world_get_contact_hits(jostle_world world,
                                                       jostle_contact_hit* events, size_t stride,
                                                       size_t capacity, size_t* count);

/** A body that fell asleep or woke up. */
typedef struct jostle_sleep_change {
  jostle_body body;     /* that fell asleep or woke up */
  jostle_bool is_awake; /* 1: woke up */
} jostle_sleep_change;

/** Lists the bodies that fell asleep or woke up. */
JOSTLE_API jostle_result jostle_world_get_sleep_changes(jostle_world world,
                                                        jostle_sleep_change* events, size_t stride,
                                                        size_t capacity, size_t* count);

/** A joint that broke. Its handle is stale. */
typedef struct jostle_joint_break {
  jostle_joint joint;         /* stale handle */
  jostle_body body_a, body_b; /* bodies that it joined */
} jostle_joint_break;

/** Lists the joints that broke. */
JOSTLE_API jostle_result jostle_world_get_joint_breaks(jostle_world world,
                                                       jostle_joint_break* events, size_t stride,
                                                       size_t capacity, size_t* count);

/** A point of a contact. */
typedef struct jostle_contact_point {
  jostle_position position; /* m */
  float separation;         /* m; negative if the shapes overlap */
  float normal_impulse;     /* N·s, of the last step */
} jostle_contact_point;

/** Points of two shapes that touch, with a common normal. Shapes that touch a mesh or a height
 * field in several directions have several of these. */
typedef struct jostle_contact {
  jostle_shape a, b;              /* the shapes that touch */
  jostle_body body_a, body_b;     /* their bodies */
  jostle_vec3 normal;             /* unit normal from a to b */
  uint32_t point_count;           /* 1 to 4 */
  jostle_contact_point points[4]; /* the first `point_count` count */
} jostle_contact;

/** Lists all contacts that touch. */
JOSTLE_API jostle_result jostle_world_get_contacts(jostle_world world, jostle_contact* contacts,
                                                   size_t stride, size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
