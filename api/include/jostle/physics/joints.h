/* Joints between two bodies. */
#ifndef JOSTLE_PHYSICS_JOINTS_H
#define JOSTLE_PHYSICS_JOINTS_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of joints, with the motion that each leaves free or couples. Axes are those of the
 *  joint frames, whose x axis is the axis of the joint. */
typedef int32_t jostle_joint_kind;
enum {
  JOSTLE_JOINT_BALL = 0,     /* all rotation; limits bound the twist about x, the cone the swing */
  JOSTLE_JOINT_HINGE = 1,    /* rotation about x */
  JOSTLE_JOINT_SLIDER = 2,   /* translation along x */
  JOSTLE_JOINT_FIXED = 3,    /* no motion */
  JOSTLE_JOINT_DISTANCE = 4, /* all motion that keeps the distance of the anchors */
  JOSTLE_JOINT_WHEEL = 5,    /* travel along x of a, steering about it, spin about z of b */
  JOSTLE_JOINT_SIX_DOF = 6,  /* the axes of jostle_joint_def.axes */
  JOSTLE_JOINT_SERVO = 7,    /* a damped spring of limited force drives b to a target */
  JOSTLE_JOINT_GEAR = 8,     /* couples the rotations of a and b about the x axes of their frames */
  JOSTLE_JOINT_RACK_AND_PINION = 9, /* couples the rotation of a and the travel of b along x */
  JOSTLE_JOINT_PULLEY = 10          /* keeps the length of a rope over two fixed points */
};

/** Limits of the coordinate of a joint: an angle (rad, within ±π for balls and hinges), a
 *  translation (m) or a distance (m). */
typedef struct jostle_joint_limits {
  jostle_bool is_enabled; /* 1: the limits act */
  float lower, upper;     /* bounds of the coordinate */
} jostle_joint_limits;

/** A damped spring towards jostle_joint_def.rest. */
typedef struct jostle_joint_spring {
  jostle_bool is_enabled;   /* 1: the spring acts */
  float hertz;              /* natural frequency with the joined bodies */
  float damping_ratio;      /* 1: critical damping */
  jostle_bool tension_only; /* 1: acts only when longer than `rest`; distance joints only */
} jostle_joint_spring;

/** A motor that drives the coordinate at `speed` (rad/s or m/s) with at most `max_force` (N·m or
 *  N). The motor of a ball joint is friction: its speed must be 0, and its torque opposes all
 *  relative rotation. */
typedef struct jostle_joint_motor {
  jostle_bool is_enabled; /* 1: the motor acts */
  float speed;            /* wanted speed, rad/s or m/s */
  float max_force;        /* N·m or N */
} jostle_joint_motor;

/** A cone limit of a ball joint: the maximum angle between the x axes of the frames. */
typedef struct jostle_joint_cone {
  jostle_bool is_enabled; /* 1: the limit acts */
  float angle;            /* rad, 0 to π */
} jostle_joint_cone;

/** The freedom of an axis of a six-DOF joint. */
typedef int32_t jostle_joint_freedom;
enum { JOSTLE_FREEDOM_LOCKED = 0, JOSTLE_FREEDOM_LIMITED = 1, JOSTLE_FREEDOM_FREE = 2 };

/** One axis of a six-DOF joint: translation along it (m, N) or rotation about it (rad, N·m). */
typedef struct jostle_joint_axis {
  jostle_joint_freedom freedom; /* locked, limited or free */
  float lower, upper;           /* limits, if the axis is limited */
  float rest;                   /* value at which it is locked, or to which the spring pulls */
  float friction;               /* maximum friction, N or N·m */
  jostle_joint_spring spring;   /* towards `rest` */
  jostle_joint_motor motor;     /* drives the coordinate */
} jostle_joint_axis;

/** The definition of a joint. It constrains the pose of frame b relative to frame a. The functions
 *  jostle_joint_def_... below compute frames from positions in the world. */
typedef struct jostle_joint_def {
  size_t size;
  jostle_joint_kind kind;            /* selects the values that count */
  jostle_body body_a, body_b;        /* two different bodies, at least one dynamic */
  jostle_transform frame_a, frame_b; /* joint frames in the frames of the bodies */
  float rest; /* value to which the spring pulls; fixed length of a distance joint; rad or m */
  jostle_joint_limits limits;    /* of the coordinate */
  jostle_joint_cone cone;        /* of a ball joint */
  jostle_joint_spring spring;    /* towards `rest` */
  jostle_joint_motor motor;      /* drives the coordinate */
  jostle_bool collide_connected; /* 1: the two bodies collide */
  float break_force;             /* N; the joint breaks above this; 0: unbreakable */
  float break_torque;            /* N·m; 0: unbreakable */
  /* Details of some kinds. */
  float ratio;               /* gear, rack (m per rad), pulley; not 0 */
  jostle_joint_axis axes[6]; /* six-DOF: translations x, y, z, rotations x, y, z */
  jostle_position ground_anchor_a, ground_anchor_b; /* pulley: fixed points of the rope */
  float steer_angle;                                /* wheel, rad */
  float brake_torque;                               /* wheel, N·m */
  float sprung_mass;           /* wheel, kg: mass to which the spring refers; 0: that of body a */
  jostle_transform target;     /* servo: pose of frame b relative to frame a */
  jostle_vec3 target_velocity; /* servo, m/s, frame a */
  jostle_vec3 target_angular_velocity; /* servo, rad/s, frame a */
  float max_force, max_torque;         /* servo, N and N·m */
} jostle_joint_def;

/** Writes the default: a ball joint of no bodies, with both frames at the origins of the bodies. */
JOSTLE_DEFINE_DEFAULT(jostle_joint_def)

/** Writes the definition of a joint of `kind` between two bodies at their present poses. `anchor`
 * is a position in the world, and the unit vector `axis` is the x axis of the joint. Set
 * `def->size` before the call, also for the functions below. */
JOSTLE_API jostle_result jostle_joint_def_at(jostle_world world, jostle_joint_kind kind,
                                             jostle_body a, jostle_body b, jostle_position anchor,
                                             jostle_vec3 axis, jostle_joint_def* def);
/** Writes a distance joint between two points of the world, whose distance it keeps. */
JOSTLE_API jostle_result jostle_joint_def_distance(jostle_world world, jostle_body a, jostle_body b,
                                                   jostle_position anchor_a,
                                                   jostle_position anchor_b, jostle_joint_def* def);
/** Writes a six-DOF joint whose axes are those of `rotation` in the world. All are locked. */
JOSTLE_API jostle_result jostle_joint_def_six_dof(jostle_world world, jostle_body a, jostle_body b,
                                                  jostle_position anchor, jostle_quat rotation,
                                                  jostle_joint_def* def);
/** Writes a wheel joint. The wheel travels along the unit vector `up`, is steered about it, and
 *  spins about the unit vector `axle`, which should be perpendicular to `up`. */
JOSTLE_API jostle_result jostle_joint_def_wheel(jostle_world world, jostle_body chassis,
                                                jostle_body wheel, jostle_position centre,
                                                jostle_vec3 up, jostle_vec3 axle,
                                                jostle_joint_def* def);
/** Writes a gear: if a turns about `axis_a`, b turns about `axis_b` by −1/`ratio` of its angle. */
JOSTLE_API jostle_result jostle_joint_def_gear(jostle_world world, jostle_body a, jostle_body b,
                                               jostle_vec3 axis_a, jostle_vec3 axis_b, float ratio,
                                               jostle_joint_def* def);
/** Writes a rack and pinion: if the pinion turns about `axis` by 1 rad, the rack moves along
 *  `direction` by `ratio` m. */
JOSTLE_API jostle_result jostle_joint_def_rack_and_pinion(jostle_world world, jostle_body pinion,
                                                          jostle_body rack, jostle_vec3 axis,
                                                          jostle_vec3 direction, float ratio,
                                                          jostle_joint_def* def);
/** Writes a pulley: a rope of its present length from `anchor_a` over both ground anchors to
 *  `anchor_b`. If a goes down by 1 m, b comes up by 1/`ratio` m. */
JOSTLE_API jostle_result jostle_joint_def_pulley(jostle_world world, jostle_body a, jostle_body b,
                                                 jostle_position anchor_a, jostle_position anchor_b,
                                                 jostle_position ground_anchor_a,
                                                 jostle_position ground_anchor_b, float ratio,
                                                 jostle_joint_def* def);
/** Writes a servo that drives the point `anchor` of b, and the rotation of b, to their present
 *  values. Set the spring and the maximum forces before creating it. */
JOSTLE_API jostle_result jostle_joint_def_servo(jostle_world world, jostle_body a, jostle_body b,
                                                jostle_position anchor, jostle_joint_def* def);

/** Creates a joint and wakes both bodies. */
JOSTLE_API jostle_result jostle_joint_create(jostle_world world, const jostle_joint_def* def,
                                             jostle_joint* joint);
/** Destroys a joint and wakes both bodies. */
JOSTLE_API jostle_result jostle_joint_destroy(jostle_world world, jostle_joint joint);
/** Returns 1 if the world and the joint exist, else 0. */
JOSTLE_API jostle_bool jostle_joint_is_alive(jostle_world world, jostle_joint joint);
/** Writes the definition of a joint as it is now. Set `def->size` before the call. */
JOSTLE_API jostle_result jostle_joint_get_def(jostle_world world, jostle_joint joint,
                                              jostle_joint_def* def);
/** Sets the limits of the coordinate, and wakes both bodies, as do the next three functions. */
JOSTLE_API jostle_result jostle_joint_set_limits(jostle_world world, jostle_joint joint,
                                                 jostle_joint_limits limits);
/** Sets the cone limit of a ball joint. */
JOSTLE_API jostle_result jostle_joint_set_cone(jostle_world world, jostle_joint joint,
                                               jostle_joint_cone cone);
/** Sets the spring and the value to which it pulls. */
JOSTLE_API jostle_result jostle_joint_set_spring(jostle_world world, jostle_joint joint,
                                                 jostle_joint_spring spring, float rest);
/** Sets the motor. */
JOSTLE_API jostle_result jostle_joint_set_motor(jostle_world world, jostle_joint joint,
                                                jostle_joint_motor motor);
/** Sets the details, the fields of `def` from `ratio` on; the other fields of `def` are ignored. */
JOSTLE_API jostle_result jostle_joint_set_details(jostle_world world, jostle_joint joint,
                                                  const jostle_joint_def* def);
/** Sets an axis (0 to 5) of a six-DOF joint. */
JOSTLE_API jostle_result jostle_joint_set_axis(jostle_world world, jostle_joint joint,
                                               uint32_t index, const jostle_joint_axis* axis);
/** Sets the steering angle of a wheel, in rad and within ±80°. */
JOSTLE_API jostle_result jostle_joint_set_steering(jostle_world world, jostle_joint joint,
                                                   float angle);
/** Sets the brake torque of a wheel, in N·m. */
JOSTLE_API jostle_result jostle_joint_set_brake(jostle_world world, jostle_joint joint,
                                                float torque);
/** Sets the target of a servo: the pose of frame b relative to frame a. */
JOSTLE_API jostle_result jostle_joint_set_target(jostle_world world, jostle_joint joint,
                                                 const jostle_transform* target);

/** The state of a joint. */
typedef struct jostle_joint_state {
  size_t size;
  float angle;          /* rad: of a hinge, twist of a ball, steering of a wheel, value of a gear */
  float swing;          /* rad: angle between the x axes of the frames */
  float translation;    /* m: along x, distance of the anchors, value of a rack or a pulley */
  float position_error; /* m, of the constraint */
  float rotation_error; /* rad, of the constraint */
  jostle_vec3 force;    /* N: on b at the anchor, mean of the last step */
  jostle_vec3 torque;   /* N·m: on b about the anchor, mean of the last step */
  float axes[6];        /* wheel and six-DOF: translations x, y, z (m), rotations x, y, z (rad) */
  float rates[6];       /* their rates, m/s and rad/s */
  uint32_t reserved;    /* 0 */
} jostle_joint_state;

/** Writes the state of a joint. Set `state->size` before the call. */
JOSTLE_API jostle_result jostle_joint_get_state(jostle_world world, jostle_joint joint,
                                                jostle_joint_state* state);
/** Lists all joints of a world, in the order of their handles' indices. */
JOSTLE_API jostle_result jostle_world_get_joints(jostle_world world, jostle_joint* joints,
                                                 size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
