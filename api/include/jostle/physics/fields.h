/* Force fields and explosions. */
#ifndef JOSTLE_PHYSICS_FIELDS_H
#define JOSTLE_PHYSICS_FIELDS_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of force fields, with the fields of jostle_field_def that each uses. */
typedef int32_t jostle_field_kind;
enum {
  JOSTLE_FIELD_ATTRACTION = 0,   /* point, law: acceleration towards a point of the world */
  JOSTLE_FIELD_ACCELERATION = 1, /* region, vector (m/s²) */
  JOSTLE_FIELD_WIND = 2,         /* region, vector (m/s), density, coefficient, linear (N·s/m³) */
  JOSTLE_FIELD_DRAG = 3,    /* region, vector (m/s), linear (1/s), quadratic (1/m), angular (1/s) */
  JOSTLE_FIELD_POLE = 4,    /* point, law, body or null: acts on charged bodies */
  JOSTLE_FIELD_CHARGES = 5, /* law: charged bodies act on each other */
  JOSTLE_FIELD_FLUID = 6,   /* region (no sphere), level, density, vector (m/s), linear, quadratic,
                               angular: buoyancy and drag */
  JOSTLE_FIELD_THRUST = 7   /* body, vector (N), torque (N·m), point, in_body_frame */
};

/** The kinds of regions. */
typedef int32_t jostle_region_kind;
enum { JOSTLE_REGION_EVERYWHERE = 0, JOSTLE_REGION_BOX = 1, JOSTLE_REGION_SPHERE = 2 };

/** The region in which a field acts. */
typedef struct jostle_region {
  jostle_region_kind kind;  /* selects the values that count */
  float radius;             /* m, sphere */
  jostle_position centre;   /* m */
  jostle_vec3 half_extents; /* m, box along the axes of the world */
} jostle_region;

/** The definition of a force field. A kind ignores the values that it does not list. */
typedef struct jostle_field_def {
  size_t size;
  jostle_field_kind kind;    /* selects the values that count */
  jostle_body body;          /* thrust: a dynamic body; pole: null, or the body that carries it */
  jostle_region region;      /* in which the field acts */
  jostle_position point;     /* m: in the world, or in the frame of `body` */
  float strength;            /* the law strength / r^exponent; see docs/SCENES.md for the units */
  float softening;           /* m: removes the singularity at r = 0 */
  float outer;               /* m: no force beyond this distance; 0: no limit */
  int32_t exponent;          /* −1 to 4; 2 for gravity and charges */
  jostle_vec3 vector;        /* acceleration, velocity of the medium, or force */
  jostle_vec3 torque;        /* N·m */
  jostle_bool in_body_frame; /* 1: force and torque along the axes of the body */
  float density;             /* kg/m³ */
  float coefficient;         /* drag coefficient of wind */
  float linear;              /* drag that grows with the speed; units: jostle_field_kind */
  float quadratic;           /* drag that grows with the square of the speed */
  float angular;             /* drag against rotation */
  double level;              /* m: height of the surface of a fluid */
} jostle_field_def;

/** Writes the default values of fields of this kind; `size` is sizeof(jostle_field_def). */
JOSTLE_API jostle_result jostle_field_def_init(jostle_field_kind kind, jostle_field_def* def,
                                               size_t size);
/** Writes the default values of fields of this kind. */
static inline jostle_result jostle_field_def_default(jostle_field_kind kind,
                                                     jostle_field_def* def) {
  return jostle_field_def_init(kind, def, sizeof(jostle_field_def));
}
/** Creates a force field, and wakes the bodies on which it can act. */
JOSTLE_API jostle_result jostle_field_create(jostle_world world, const jostle_field_def* def,
                                             jostle_field* field);
/** Destroys a force field. */
JOSTLE_API jostle_result jostle_field_destroy(jostle_world world, jostle_field field);
/** Returns 1 if the world and the field exist, else 0. */
JOSTLE_API jostle_bool jostle_field_is_alive(jostle_world world, jostle_field field);
/** Writes the definition of a field. Set `def->size` before the call. */
JOSTLE_API jostle_result jostle_field_get_def(jostle_world world, jostle_field field,
                                              jostle_field_def* def);
/** Replaces the definition of a field. */
JOSTLE_API jostle_result jostle_field_set_def(jostle_world world, jostle_field field,
                                              const jostle_field_def* def);
/** Lists all force fields of a world, in the order of their handles' indices. */
JOSTLE_API jostle_result jostle_world_get_fields(jostle_world world, jostle_field* fields,
                                                 size_t capacity, size_t* count);

/** Applies the impulses of an explosion to the dynamic bodies within `radius` (m, 0 to 1e6), at
 *  once. `impulse` is in N·s per m² of facing area at the centre, 0 to 1e12, and falls linearly to
 *  zero at the radius. */
JOSTLE_API jostle_result jostle_world_explode(jostle_world world, jostle_position centre,
                                              float radius, float impulse);

#ifdef __cplusplus
}
#endif

#endif
