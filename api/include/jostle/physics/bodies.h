/* Bodies: creation, poses, velocities, forces, and batches of them. */
#ifndef JOSTLE_PHYSICS_BODIES_H
#define JOSTLE_PHYSICS_BODIES_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The way a body moves. */
typedef int32_t jostle_motion;
enum {
  JOSTLE_MOTION_STATIC = 0,    /* never moves */
  JOSTLE_MOTION_KINEMATIC = 1, /* moves as the caller says and is not pushed */
  JOSTLE_MOTION_DYNAMIC = 2    /* moves by forces, impulses and contacts */
};

/** Bits of jostle_body_def.locks: locked axes of the world for translation and rotation. */
enum {
  JOSTLE_LOCK_LINEAR_X = 1,
  JOSTLE_LOCK_LINEAR_Y = 2,
  JOSTLE_LOCK_LINEAR_Z = 4,
  JOSTLE_LOCK_ANGULAR_X = 8,
  JOSTLE_LOCK_ANGULAR_Y = 16,
  JOSTLE_LOCK_ANGULAR_Z = 32,
  JOSTLE_LOCK_ROTATION = 56,
  JOSTLE_LOCK_PLANAR = 28, /* a body of a planar (2D) world in the xy-plane */
  JOSTLE_LOCK_ALL = 63
};

/** Methods that integrate particles, and bodies on which no contact and no joint acts. */
typedef int32_t jostle_integrator;
enum {
  JOSTLE_INTEGRATOR_DEFAULT = -1, /* the engine's own method; not for particles */
  JOSTLE_INTEGRATOR_EXPLICIT_EULER = 0,
  JOSTLE_INTEGRATOR_BACKWARD_EULER = 1,
  JOSTLE_INTEGRATOR_SEMI_IMPLICIT_EULER = 2,
  JOSTLE_INTEGRATOR_MIDPOINT = 3,
  JOSTLE_INTEGRATOR_POSITION_VERLET = 4,
  JOSTLE_INTEGRATOR_VELOCITY_VERLET = 5,
  JOSTLE_INTEGRATOR_RUNGE_KUTTA_4 = 6
};

/** The definition of a body. */
typedef struct jostle_body_def {
  size_t size;
  jostle_motion motion;         /* JOSTLE_MOTION value */
  jostle_bool is_sleep_allowed; /* 0: never falls asleep */
  jostle_bool is_awake;         /* 0: begins asleep */
  jostle_bool is_enabled;       /* 0: neither moves nor collides */
  jostle_pose pose;             /* of the frame of the body, within 1e9 m of the origin */
  jostle_vec3 linear_velocity;  /* m/s, of the centre of mass, within ±1e9 */
  jostle_vec3 angular_velocity; /* rad/s, world frame, within ±1e9 */
  float linear_damping;         /* 1/s, not negative */
  float angular_damping;        /* 1/s, not negative */
  float gravity_scale;          /* factor of gravity, within ±1e6 */
  float mass; /* kg, 1e-6 to 1e12; 0: computed from the shapes, or 1 kg if they have no mass */
  jostle_bool has_centre_of_mass; /* 1: centre_of_mass replaces that of the shapes; needs a mass */
  jostle_bool has_inertia;        /* 1: inertia replaces that of the shapes; needs a mass */
  jostle_vec3 centre_of_mass;     /* m, in the frame of the body */
  jostle_mat3 inertia;            /* kg·m², about the centre of mass, in the frame of the body */
  uint32_t locks;                 /* JOSTLE_LOCK bits, for dynamic bodies */
  jostle_integrator integrator;   /* method without contacts and joints */
  uint64_t user_data;             /* for the caller; the library does not read it */
  float charge;                   /* within ±1e12 */
  jostle_bool ignores_fields;     /* 1: no force field acts on the body */
} jostle_body_def;

/** Writes the default: an awake, enabled, dynamic body at the origin. */
JOSTLE_DEFINE_DEFAULT(jostle_body_def)
/** Creates a body without shapes. */
JOSTLE_API jostle_result jostle_body_create(jostle_world world, const jostle_body_def* def,
                                            jostle_body* body);
/** Destroys a body with its shapes, joints and fields. */
JOSTLE_API jostle_result jostle_body_destroy(jostle_world world, jostle_body body);
/** Returns 1 if the world and the body exist, else 0. */
JOSTLE_API jostle_bool jostle_body_is_alive(jostle_world world, jostle_body body);

/** Writes the pose of the body's frame. */
JOSTLE_API jostle_result jostle_body_get_pose(jostle_world world, jostle_body body,
                                              jostle_pose* pose);
/** Moves a body without a time of travel, to a position within 1e9 m of the origin. Wakes the body
 *  and those that it touches. */
JOSTLE_API jostle_result jostle_body_set_pose(jostle_world world, jostle_body body,
                                              const jostle_pose* pose);
/** Moves a kinematic body so that it reaches `target` at the end of the next step. The target must
 * be within 1e9 m of the origin. */
JOSTLE_API jostle_result jostle_body_move(jostle_world world, jostle_body body,
                                          const jostle_pose* target);
/** Writes the velocity of the centre of mass (m/s) and the angular velocity (rad/s, world frame).
 *  Either may be null. */
JOSTLE_API jostle_result jostle_body_get_velocity(jostle_world world, jostle_body body,
                                                  jostle_vec3* linear, jostle_vec3* angular);
/** Sets both velocities of a kinematic or dynamic body, within ±1e9; a static body ignores them. */
JOSTLE_API jostle_result jostle_body_set_velocity(jostle_world world, jostle_body body,
                                                  jostle_vec3 linear, jostle_vec3 angular);
/** Writes the velocity of the point of the body that is at `point` in the world, in m/s. */
JOSTLE_API jostle_result jostle_body_get_velocity_at(jostle_world world, jostle_body body,
                                                     jostle_position point, jostle_vec3* velocity);
/** Wakes a body with its island, or puts it to sleep. */
JOSTLE_API jostle_result jostle_body_set_awake(jostle_world world, jostle_body body,
                                               jostle_bool is_awake);
/** Disables or enables a body. A disabled body keeps its properties, but does not move, collide or
 *  act on others, and no query finds it. */
JOSTLE_API jostle_result jostle_body_set_enabled(jostle_world world, jostle_body body,
                                                 jostle_bool is_enabled);
/** Sets the factor of gravity, within ±1e6. */
JOSTLE_API jostle_result jostle_body_set_gravity_scale(jostle_world world, jostle_body body,
                                                       float scale);
/** Sets the charge on which poles and other charges act, within ±1e12. */
JOSTLE_API jostle_result jostle_body_set_charge(jostle_world world, jostle_body body, float charge);

/** Applies an impulse (N·s) at a point of the world, at once. This function and the next five act
 *  on enabled dynamic bodies and do nothing for others. Forces and impulses must be within ±1e18,
 * and points within 1e9 m of the origin. */
JOSTLE_API jostle_result jostle_body_apply_impulse(jostle_world world, jostle_body body,
                                                   jostle_vec3 impulse, jostle_position point);
/** Applies an impulse (N·s) at the centre of mass. */
JOSTLE_API jostle_result jostle_body_apply_central_impulse(jostle_world world, jostle_body body,
                                                           jostle_vec3 impulse);
/** Applies an angular impulse (N·m·s). */
JOSTLE_API jostle_result jostle_body_apply_angular_impulse(jostle_world world, jostle_body body,
                                                           jostle_vec3 impulse);
/** Applies a force (N) at a point of the world, during the next step. */
JOSTLE_API jostle_result jostle_body_apply_force(jostle_world world, jostle_body body,
                                                 jostle_vec3 force, jostle_position point);
/** Applies a force (N) at the centre of mass, during the next step. */
JOSTLE_API jostle_result jostle_body_apply_central_force(jostle_world world, jostle_body body,
                                                         jostle_vec3 force);
/** Applies a torque (N·m), during the next step. */
JOSTLE_API jostle_result jostle_body_apply_torque(jostle_world world, jostle_body body,
                                                  jostle_vec3 torque);

/** The properties of a body that do not change in most steps. */
typedef struct jostle_body_info {
  size_t size;
  jostle_motion motion;           /* JOSTLE_MOTION value */
  jostle_bool is_awake;           /* 0: asleep */
  jostle_bool is_enabled;         /* 0: disabled */
  jostle_bool is_quarantined;     /* 1 if a value was not finite or out of bounds; see the guide */
  float mass;                     /* kg; 0 for static and kinematic bodies */
  float gravity_scale;            /* factor of gravity */
  float charge;                   /* for poles and other charges */
  jostle_bool ignores_fields;     /* 1: no force field acts on the body */
  jostle_integrator integrator;   /* method without contacts and joints */
  uint32_t shape_count;           /* number of shapes */
  uint32_t contact_point_count;   /* points of all contacts that touch */
  jostle_position centre_of_mass; /* m, in the world */
  jostle_mat3 inertia;            /* kg·m², about the centre of mass, in the frame of the body */
  jostle_aabb bounds;             /* bounds of the shapes */
  uint64_t user_data;             /* that of the definition */
} jostle_body_info;

/** Writes the properties of a body. Set `info->size` before the call. */
JOSTLE_API jostle_result jostle_body_get_info(jostle_world world, jostle_body body,
                                              jostle_body_info* info);
/** Lists the shapes of a body, in the order of their creation. */
JOSTLE_API jostle_result jostle_body_get_shapes(jostle_world world, jostle_body body,
                                                jostle_shape* shapes, size_t capacity,
                                                size_t* count);
/** Lists the island of a body: the dynamic bodies that contacts, joints and fields connect with it,
 *  directly or through others. The list is empty for bodies that are not dynamic. */
JOSTLE_API jostle_result jostle_body_get_island(jostle_world world, jostle_body body,
                                                jostle_body* bodies, size_t capacity,
                                                size_t* count);
/** Lists all bodies of a world, in the order of their handles' indices. */
JOSTLE_API jostle_result jostle_world_get_bodies(jostle_world world, jostle_body* bodies,
                                                 size_t capacity, size_t* count);

/** Arrays of the caller with one element per body. A null pointer leaves its values out. A stride
 *  is the distance of two elements in bytes, at least the size of an element; 0 means that the
 *  elements follow each other directly. */
typedef struct jostle_body_arrays {
  size_t size;
  double* positions; /* 3 numbers, m */
  size_t positions_stride;
  float* rotations; /* 4 numbers: x, y, z, w */
  size_t rotations_stride;
  float* linear_velocities; /* 3 numbers, m/s */
  size_t linear_velocities_stride;
  float* angular_velocities; /* 3 numbers, rad/s */
  size_t angular_velocities_stride;
  uint8_t* awake; /* 1 number: 1 awake, 0 asleep; only read functions use it */
  size_t awake_stride;
} jostle_body_arrays;

/** Writes empty arrays. */
JOSTLE_DEFINE_DEFAULT(jostle_body_arrays)
/** Writes the poses and velocities of `count` bodies into the arrays. If `bodies` is null, these
 *  are the first `count` bodies of jostle_world_get_bodies(), and `count` must not exceed their
 *  number. If a handle is stale, nothing is written. */
JOSTLE_API jostle_result jostle_bodies_read(jostle_world world, const jostle_body* bodies,
                                            size_t count, const jostle_body_arrays* arrays);
/** Sets the poses and velocities of `count` bodies from the arrays, as jostle_body_set_pose() and
 *  jostle_body_set_velocity(). Positions need rotations, linear velocities need angular ones, and
 *  the reverse. If a handle or a value is invalid, nothing is set. */
JOSTLE_API jostle_result jostle_bodies_write(jostle_world world, const jostle_body* bodies,
                                             size_t count, const jostle_body_arrays* arrays);
/** Applies forces (N) at the centres of mass of `count` bodies, and torques (N·m) unless `torques`
 *  is null, during the next step. Both have 3 numbers per body, with strides as above. */
JOSTLE_API jostle_result jostle_bodies_apply_forces(jostle_world world, const jostle_body* bodies,
                                                    size_t count, const float* forces,
                                                    size_t forces_stride, const float* torques,
                                                    size_t torques_stride);

#ifdef __cplusplus
}
#endif

#endif
