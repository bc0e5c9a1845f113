/* Worlds: creation, steps, execution and statistics. */
#ifndef JOSTLE_PHYSICS_WORLD_H
#define JOSTLE_PHYSICS_WORLD_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of worlds of a process. */
#define JOSTLE_MAX_WORLDS 4096
/** Maximum number of threads of a world. */
#define JOSTLE_MAX_THREADS 64

/** Settings of a world. All are part of its saves and hashes. */
typedef struct jostle_world_def {
  size_t size;
  jostle_vec3 gravity;             /* m/s², within ±1e6 */
  float step_seconds;              /* 1e-6 to 1 s */
  int32_t substeps;                /* 1 to 64 */
  jostle_bool is_sleeping_enabled; /* islands of slow bodies fall asleep */
  float sleep_linear_speed;        /* m/s; faster bodies stay awake */
  /* rad/s; bodies that turn faster, and have points faster than sleep_linear_speed, stay awake */
  float sleep_angular_speed;
  float sleep_seconds;          /* time for which all bodies of an island must be slow */
  float restitution_threshold;  /* m/s; slower contacts do not bounce */
  float contact_hertz;          /* Hz; frequency of the springs that separate overlaps */
  float contact_damping_ratio;  /* damping ratio of these springs */
  float max_contact_push_speed; /* m/s, above 0; maximum speed of the separation */
  float joint_hertz;            /* Hz; frequency of the springs that close joint errors */
  float joint_damping_ratio;    /* damping ratio of these springs */
  float max_linear_speed;       /* m/s, above 0 */
  float max_angular_speed;      /* rad/s, above 0 */
  uint32_t reserved;            /* must be 0 */
} jostle_world_def;

/** Writes the default settings: 60 steps per second, 4 substeps, gravity −9.81 m/s² along y. */
JOSTLE_DEFINE_DEFAULT(jostle_world_def)

/** Creates an empty world. Different threads may use different worlds at the same time. A call that
 *  changes a world while another thread uses it, or the reverse, returns JOSTLE_ERROR_BUSY. */
JOSTLE_API jostle_result jostle_world_create(const jostle_world_def* def, jostle_world* world);
/** Destroys a world with everything in it. */
JOSTLE_API jostle_result jostle_world_destroy(jostle_world world);
/** Returns 1 if the world exists, else 0. */
JOSTLE_API jostle_bool jostle_world_is_alive(jostle_world world);
/** Writes the settings of a world. Set `def->size` before the call. */
JOSTLE_API jostle_result jostle_world_get_def(jostle_world world, jostle_world_def* def);
/** Sets the gravity, in m/s² and within ±1e6. A change wakes all dynamic bodies. */
JOSTLE_API jostle_result jostle_world_set_gravity(jostle_world world, jostle_vec3 gravity);

/** Advances a world by one step. The events of the previous step are discarded. */
JOSTLE_API jostle_result jostle_world_step(jostle_world world);
/** Makes `count` steps, 0 to 1,000,000. Only the events of the last one can be read. */
JOSTLE_API jostle_result jostle_world_steps(jostle_world world, uint32_t count);

/** Instruction sets of the solver. All give the same bits and differ only in speed. */
typedef int32_t jostle_simd;
enum { JOSTLE_SIMD_PLAIN = 0, JOSTLE_SIMD_SSE2 = 1, JOSTLE_SIMD_AVX2 = 2, JOSTLE_SIMD_NEON = 3 };
/** Returns 1 if this library and this processor support the instruction set, else 0. */
JOSTLE_API jostle_bool jostle_simd_is_supported(jostle_simd simd);

/** The execution of steps. It changes no result and is not saved. */
typedef struct jostle_execution {
  size_t size;
  int32_t threads;  /* 1 to JOSTLE_MAX_THREADS, including the calling thread */
  jostle_simd simd; /* must be supported */
} jostle_execution;

/** Writes the default: one thread, the fastest supported instruction set. */
JOSTLE_DEFINE_DEFAULT(jostle_execution)
/** Sets the number of threads and the instruction set of a world. */
JOSTLE_API jostle_result jostle_world_set_execution(jostle_world world,
                                                    const jostle_execution* execution);
/** Writes the execution settings of a world. Set `execution->size` before the call. */
JOSTLE_API jostle_result jostle_world_get_execution(jostle_world world,
                                                    jostle_execution* execution);

/** The stages of a step, in their order. Stages 7 to 10 run in each substep. */
typedef int32_t jostle_stage;
enum {
  JOSTLE_STAGE_PREPARE = 0,
  JOSTLE_STAGE_FIND_PAIRS = 1,
  JOSTLE_STAGE_COLLIDE = 2,
  JOSTLE_STAGE_PREPARE_BODIES = 3,
  JOSTLE_STAGE_COLOUR_CONTACTS = 4,
  JOSTLE_STAGE_PREPARE_CONTACTS = 5,
  JOSTLE_STAGE_PREPARE_JOINTS = 6,
  JOSTLE_STAGE_INTEGRATE = 7,
  JOSTLE_STAGE_SOLVE = 8,
  JOSTLE_STAGE_CARRY_LOADS = 9,
  JOSTLE_STAGE_RELAX = 10,
  JOSTLE_STAGE_RESTITUTION = 11,
  JOSTLE_STAGE_STORE_IMPULSES = 12,
  JOSTLE_STAGE_FINISH_BODIES = 13,
  JOSTLE_STAGE_SMALL_ISLANDS = 14,
  JOSTLE_STAGE_SLEEP = 15,
  JOSTLE_STAGE_PARTICLES = 16,
  JOSTLE_STAGE_FINISH_EVENTS = 17,
  JOSTLE_STAGE_COUNT = 18
};
/** Returns the name of a stage, or "unknown". */
JOSTLE_API const char* jostle_stage_name(jostle_stage stage);

/** Statistics of the last step. */
typedef struct jostle_statistics {
  size_t size;
  uint32_t bodies;             /* number of bodies */
  uint32_t awake_bodies;       /* dynamic bodies that are awake */
  uint32_t candidate_pairs;    /* pairs of shapes whose bounds overlap */
  uint32_t touching_pairs;     /* pairs of shapes that touch */
  uint32_t contact_points;     /* of all pairs */
  uint32_t quarantined_bodies; /* removed, because a value was not finite or out of bounds */
  uint64_t contact_updates;    /* pairs of shapes whose contact points were computed */
  uint64_t impact_searches;    /* pairs that were searched for a time of impact */
  uint64_t triangles;          /* triangles of meshes and height fields that were examined */
  double stage_seconds[JOSTLE_STAGE_COUNT]; /* zero without a clock */
} jostle_statistics;

/** Writes the statistics of the last step. Set `statistics->size` before the call. */
JOSTLE_API jostle_result jostle_world_get_statistics(jostle_world world,
                                                     jostle_statistics* statistics);

/** A function that returns the time in seconds since any fixed moment. It must be callable from
 *  several threads, and must neither throw exceptions nor call functions of this API. */
typedef double (*jostle_clock)(void);
/** Sets the clock that measures the stages of steps; null turns measuring off. */
JOSTLE_API jostle_result jostle_world_set_clock(jostle_world world, jostle_clock clock);

/** Numbers of objects in a world. */
typedef struct jostle_counts {
  size_t size;
  uint32_t bodies;        /* number of bodies */
  uint32_t shapes;        /* number of shapes */
  uint32_t joints;        /* number of joints */
  uint32_t fields;        /* number of fields */
  uint32_t particle_sets; /* number of particle sets */
  uint32_t particles;     /* number of particles */
} jostle_counts;

/** Writes the numbers of objects in a world. Set `counts->size` before the call. */
JOSTLE_API jostle_result jostle_world_get_counts(jostle_world world, jostle_counts* counts);

#ifdef __cplusplus
}
#endif

#endif
