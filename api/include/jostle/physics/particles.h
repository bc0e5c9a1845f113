/* Particles: points with a mass that move under gravity and fields and may bounce off bodies. They
 * push neither bodies nor each other.
 */
#ifndef JOSTLE_PHYSICS_PARTICLES_H
#define JOSTLE_PHYSICS_PARTICLES_H

#include <jostle/physics/bodies.h>
#include <jostle/physics/fields.h>
#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value of jostle_particle.steps_left for particles that live for ever. */
#define JOSTLE_ENDLESS 0xFFFFFFFFu

/** A source of particles at random positions in a region. */
typedef struct jostle_emitter {
  size_t size;
  jostle_region region;        /* the kind EVERYWHERE stands for a point, the centre */
  float rate;                  /* 1/s, 0 to 1e7 */
  jostle_vec3 velocity;        /* m/s */
  float spread;                /* m/s: radius of the ball of random velocities that are added */
  float lifetime;              /* s; 0: unlimited */
  float min_lifetime_fraction; /* 0 to 1: shortest lifetime as a share of `lifetime` */
  float mass;                  /* kg, of each particle */
  float radius;                /* m, of each particle */
  float charge;                /* of each particle */
  float start, end;            /* s since the creation of the set; end 0: never stops */
  uint64_t seed;               /* seed of its random numbers */
} jostle_emitter;

/** Writes the default: a point at the origin that emits nothing. */
JOSTLE_DEFINE_DEFAULT(jostle_emitter)

/** The definition of a set of particles. */
typedef struct jostle_particle_set_def {
  size_t size;
  uint32_t max_count;             /* 1 to 1,000,000 */
  jostle_integrator integrator;   /* method that moves the particles */
  float gravity_scale;            /* factor of gravity, within ±1e6 */
  jostle_bool ignores_fields;     /* 1: no force field acts on the particles */
  jostle_bool collides;           /* 1: bounces off shapes whose category has a bit of `mask` */
  uint32_t mask;                  /* categories of shapes, for collisions */
  float friction;                 /* coefficient of friction */
  float restitution;              /* 0 to 1 */
  uint32_t material_id;           /* id for material pairs; 0: none */
  uint32_t emitter_count;         /* 0 to 256 */
  const jostle_emitter* emitters; /* may be null if the count is 0 */
} jostle_particle_set_def;

/** Writes the default: up to 10,000 particles without collisions and emitters. */
JOSTLE_DEFINE_DEFAULT(jostle_particle_set_def)
/** Creates a set of particles. */
JOSTLE_API jostle_result jostle_particle_set_create(jostle_world world,
                                                    const jostle_particle_set_def* def,
                                                    jostle_particle_set* set);
/** Destroys a set with its particles. */
JOSTLE_API jostle_result jostle_particle_set_destroy(jostle_world world, jostle_particle_set set);
/** Returns 1 if the world and the set exist, else 0. */
JOSTLE_API jostle_bool jostle_particle_set_is_alive(jostle_world world, jostle_particle_set set);
/** Writes the definition of a set; `emitters` is null. Set `def->size` before the call. */
JOSTLE_API jostle_result jostle_particle_set_get_def(jostle_world world, jostle_particle_set set,
                                                     jostle_particle_set_def* def);
/** Lists the emitters of a set, each of the size sizeof(jostle_emitter). */
JOSTLE_API jostle_result jostle_particle_set_get_emitters(jostle_world world,
                                                          jostle_particle_set set,
                                                          jostle_emitter* emitters, size_t capacity,
                                                          size_t* count);
/** Lists all sets of a world, in the order of their handles' indices. */
JOSTLE_API jostle_result jostle_world_get_particle_sets(jostle_world world,
                                                        jostle_particle_set* sets, size_t capacity,
                                                        size_t* count);

/** A particle. */
typedef struct jostle_particle {
  jostle_position position; /* m */
  double velocity[3];       /* m/s */
  float mass;               /* kg, 1e-6 to 1e12 */
  float radius;             /* m, 0 to 1e3 */
  float charge;             /* for poles and charges */
  uint32_t steps_left;      /* steps until it is removed, above 0; JOSTLE_ENDLESS: never */
} jostle_particle;

/** Adds particles to a set. Adds nothing if a particle is invalid. If the set becomes full, returns
 *  JOSTLE_ERROR_LIMIT. Writes the number of added particles to `added`, unless it is null. */
JOSTLE_API jostle_result jostle_particle_set_add(jostle_world world, jostle_particle_set set,
                                                 const jostle_particle* particles, size_t count,
                                                 size_t* added);

/** Arrays of the caller with one element per particle; see jostle_body_arrays. */
typedef struct jostle_particle_arrays {
  size_t size;
  double* positions; /* 3 numbers, m */
  size_t positions_stride;
  double* velocities; /* 3 numbers, m/s */
  size_t velocities_stride;
  float* masses; /* kg */
  size_t masses_stride;
  float* radii; /* m */
  size_t radii_stride;
  float* charges; /* 1 number */
  size_t charges_stride;
  uint32_t* steps_left; /* 1 number, as in jostle_particle */
  size_t steps_left_stride;
} jostle_particle_arrays;

/** Writes empty arrays. */
JOSTLE_DEFINE_DEFAULT(jostle_particle_arrays)
/** Writes the particles of a set into the arrays, which hold `capacity` elements each, and their
 *  number to `count`. If a particle is removed, the last one takes its place. */
JOSTLE_API jostle_result jostle_particle_set_read(jostle_world world, jostle_particle_set set,
                                                  const jostle_particle_arrays* arrays,
                                                  size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
