/* Shapes and materials. A body with several shapes is a compound. */
#ifndef JOSTLE_PHYSICS_SHAPES_H
#define JOSTLE_PHYSICS_SHAPES_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of shapes. Axes are those of the shape's frame, and sizes are in m. */
typedef int32_t jostle_shape_kind;
enum {
  JOSTLE_SHAPE_SPHERE = 0,      /* radius */
  JOSTLE_SHAPE_BOX = 1,         /* half_extents */
  JOSTLE_SHAPE_CAPSULE = 2,     /* radius, half_height: half the length of its axis along y */
  JOSTLE_SHAPE_PLANE = 3,       /* the half-space below y = 0; static bodies only */
  JOSTLE_SHAPE_CYLINDER = 4,    /* radius, half_height along y */
  JOSTLE_SHAPE_CONE = 5,        /* radius of the base, half_height along y; the tip is at +y */
  JOSTLE_SHAPE_HULL = 6,        /* solid */
  JOSTLE_SHAPE_MESH = 7,        /* solid; static bodies only */
  JOSTLE_SHAPE_HEIGHT_FIELD = 8 /* solid; static bodies only */
};

/** Rules that combine the values of two materials. If two rules differ, the one with the larger
 *  number is used; the default of a value yields to every other rule. */
typedef int32_t jostle_combine_rule;
enum {
  JOSTLE_COMBINE_GEOMETRIC_MEAN = 0, /* default for friction */
  JOSTLE_COMBINE_AVERAGE = 1,
  JOSTLE_COMBINE_MINIMUM = 2,
  JOSTLE_COMBINE_MULTIPLY = 3,
  JOSTLE_COMBINE_MAXIMUM = 4 /* default for restitution */
};

/** The surface of a shape. */
typedef struct jostle_material {
  float friction;            /* 0 to 1e6: coefficient of kinetic friction */
  float static_friction;     /* friction to 1e6, or 0 for the value of `friction` */
  float restitution;         /* 0 to 1 */
  float rolling_resistance;  /* m, 0 to 1e3: lever arm of the normal force against rolling */
  float spinning_resistance; /* m, 0 to 1e3: lever arm against rotation about the normal */
  jostle_combine_rule friction_rule;    /* combines the friction of two materials */
  jostle_combine_rule restitution_rule; /* combines the restitution of two materials */
  uint32_t id;                          /* for jostle_world_set_material_pair(); 0: none */
} jostle_material;

/** The definition of a shape. A kind ignores the sizes that it does not list. */
typedef struct jostle_shape_def {
  size_t size;
  jostle_shape_kind kind;   /* selects the sizes that count */
  float radius;             /* m */
  float half_height;        /* m, along y */
  jostle_vec3 half_extents; /* m, of a box */
  jostle_solid solid;       /* of a hull, mesh or height field */
  jostle_transform local;   /* pose in the frame of the body */
  jostle_material material; /* surface of the shape */
  float density;            /* kg/m³: 0, or 1e-6 to 1e9 */
  uint32_t category;     /* filter: two shapes may collide if the category of each has a bit in */
  uint32_t mask;         /* common with the mask of the other */
  int32_t group;         /* equal groups: positive always collide, negative never; 0: no group */
  jostle_bool is_sensor; /* 1: no contacts; reports the shapes that overlap it */
  jostle_vec3 surface_velocity; /* m/s, in the frame of the shape, such as that of a belt */
  uint32_t reserved;            /* must be 0 */
} jostle_shape_def;

/** Writes the default: a sphere with a radius of 0.5 m, 1,000 kg/m³ and a friction of 0.6. */
JOSTLE_DEFINE_DEFAULT(jostle_shape_def)
/** Adds a shape to a body. The shape exists as long as its body. */
JOSTLE_API jostle_result jostle_shape_create(jostle_world world, jostle_body body,
                                             const jostle_shape_def* def, jostle_shape* shape);
/** Returns 1 if the world and the shape exist, else 0. */
JOSTLE_API jostle_bool jostle_shape_is_alive(jostle_world world, jostle_shape shape);
/** Writes the definition of a shape. Set `def->size` before the call. The field `solid` is the null
 *  handle; jostle_shape_get_solid() returns the solid. */
JOSTLE_API jostle_result jostle_shape_get_def(jostle_world world, jostle_shape shape,
                                              jostle_shape_def* def);
/** Creates a handle of the solid of a hull, mesh or height field. */
JOSTLE_API jostle_result jostle_shape_get_solid(jostle_world world, jostle_shape shape,
                                                jostle_solid* solid);
/** Writes the body of a shape. */
JOSTLE_API jostle_result jostle_shape_get_body(jostle_world world, jostle_shape shape,
                                               jostle_body* body);
/** Sets the surface velocity, in m/s and in the frame of the shape. */
JOSTLE_API jostle_result jostle_shape_set_surface_velocity(jostle_world world, jostle_shape shape,
                                                           jostle_vec3 velocity);
/** Lists the shapes that overlapped a sensor after the last step. */
JOSTLE_API jostle_result jostle_shape_get_overlaps(jostle_world world, jostle_shape sensor,
                                                   jostle_shape* shapes, size_t capacity,
                                                   size_t* count);

/** Bits of jostle_material_pair.present. */
enum {
  JOSTLE_PAIR_FRICTION = 1,
  JOSTLE_PAIR_STATIC_FRICTION = 2, /* needs JOSTLE_PAIR_FRICTION */
  JOSTLE_PAIR_RESTITUTION = 4,
  JOSTLE_PAIR_ROLLING_RESISTANCE = 8,
  JOSTLE_PAIR_SPINNING_RESISTANCE = 16
};

/** Values for contacts between two materials. They replace the values that the rules compute. */
typedef struct jostle_material_pair {
  size_t size;
  uint32_t a, b;         /* ids of the materials, above 0 */
  uint32_t present;      /* JOSTLE_PAIR bits of the values below that count; 0 removes the pair */
  float friction;        /* as in jostle_material */
  float static_friction; /* as in jostle_material */
  float restitution;     /* as in jostle_material */
  float rolling_resistance;  /* as in jostle_material */
  float spinning_resistance; /* as in jostle_material */
} jostle_material_pair;

/** Writes a pair without ids and values. */
JOSTLE_DEFINE_DEFAULT(jostle_material_pair)
/** Sets the values of a pair. A world has at most 4,096 pairs. */
JOSTLE_API jostle_result jostle_world_set_material_pair(jostle_world world,
                                                        const jostle_material_pair* pair);
/** Writes the values of the pair (a, b). Set `pair->size` before the call. `present` is 0 if the
 *  pair has no values. */
JOSTLE_API jostle_result jostle_world_get_material_pair(jostle_world world, uint32_t a, uint32_t b,
                                                        jostle_material_pair* pair);
/** Lists all pairs, sorted by (a, b). `stride` is the distance of two elements in bytes, at least
 *  sizeof(jostle_material_pair), or 0 for that size. */
JOSTLE_API jostle_result jostle_world_get_material_pairs(jostle_world world,
                                                         jostle_material_pair* pairs, size_t stride,
                                                         size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
