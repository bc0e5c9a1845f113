/* The state of a world: save, restore, copy, hash and comparison. */
#ifndef JOSTLE_PHYSICS_STATE_H
#define JOSTLE_PHYSICS_STATE_H

#include <jostle/physics/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Hashes of all state that the next step reads, by subsystem. Equal hashes mean equal bits. */
typedef struct jostle_state_hash {
  size_t size;
  uint64_t bodies;    /* poses, velocities and properties */
  uint64_t shapes;    /* geometry, materials and filters */
  uint64_t contacts;  /* points and impulses */
  uint64_t islands;   /* groups that fall asleep together */
  uint64_t joints;    /* definitions and impulses */
  uint64_t fields;    /* force fields */
  uint64_t particles; /* sets of particles */
  uint64_t total;     /* hash of the hashes above and of the settings */
} jostle_state_hash;

/** Writes the hashes of a world. Set `hash->size` before the call. */
JOSTLE_API jostle_result jostle_world_get_hash(jostle_world world, jostle_state_hash* hash);
/** Writes the hash of a body: pose, velocities, properties and sleep state. */
JOSTLE_API jostle_result jostle_body_get_hash(jostle_world world, jostle_body body, uint64_t* hash);

/** Saves a world as `*size` bytes, the same on every machine. If `buffer` is null and `capacity` is
 *  0, only the size is written. If the buffer is too small, its content does not change. */
JOSTLE_API jostle_result jostle_world_save(jostle_world world, void* buffer, size_t capacity,
                                           size_t* size);
/** Replaces the world by a saved one, with its settings; execution settings stay. The solids of the
 *  save must be registered (jostle_world_add_solid). On an error, the world does not change. Safe
 *  for damaged bytes. */
JOSTLE_API jostle_result jostle_world_restore(jostle_world world, const void* bytes, size_t size);
/** Copies the state of `from` to `to`, much faster than a save and a restore. Execution settings
 *  stay. */
JOSTLE_API jostle_result jostle_world_copy(jostle_world from, jostle_world to);

/** Kinds of the numbers of a state. */
typedef int32_t jostle_number_kind;
enum {
  JOSTLE_NUMBER_BOOLEAN = 0,
  JOSTLE_NUMBER_CODE = 1, /* a value of an enumeration */
  JOSTLE_NUMBER_SIGNED_32 = 2,
  JOSTLE_NUMBER_UNSIGNED_32 = 3,
  JOSTLE_NUMBER_UNSIGNED_64 = 4,
  JOSTLE_NUMBER_F32 = 5,
  JOSTLE_NUMBER_F64 = 6
};

/** One number of a state. The texts belong to the library and stay valid. */
typedef struct jostle_state_number {
  const char* part;      /* "bodies", "joints", ... */
  const char* name;      /* "linear_velocity" */
  const char* component; /* "y", or null */
  uint64_t owner; /* index of the body, shape, joint, field or particle set (its handle's index, */
                  /* minus 1), the key of a pair of shapes, or UINT64_MAX */
  uint64_t bits;  /* the bits of the value */
  jostle_number_kind kind; /* type of the value */
  uint32_t index;          /* index among the numbers of the same name and owner */
} jostle_state_number;

/** Lists every number that the hash covers. */
JOSTLE_API jostle_result jostle_world_get_state(jostle_world world, jostle_state_number* numbers,
                                                size_t stride, size_t capacity, size_t* count);
/** Writes the first difference of two worlds as a text, such as "bodies 3 linear_velocity.y:
 *  1 (0x3F800000) and 2 (0x40000000)". The text is empty if the worlds are equal, and is cut to
 *  `capacity` bytes including the final zero. */
JOSTLE_API jostle_result jostle_world_compare(jostle_world a, jostle_world b, char* text,
                                              size_t capacity);

/** A function that receives the hash after a stage of a step. It must neither throw exceptions nor
 *  call functions of this API for that world. */
typedef void (*jostle_stage_hook)(void* user, jostle_stage stage, const jostle_state_hash* hash);
/** Sets the function that steps call after the stages PREPARE, FIND_PAIRS, COLLIDE, SOLVE, SLEEP,
 *  PARTICLES and FINISH_EVENTS, to find the stage in which two worlds diverge. Null removes it. */
JOSTLE_API jostle_result jostle_world_set_stage_hook(jostle_world world, jostle_stage_hook hook,
                                                     void* user);
/** Flips the lowest bit of a number of a body, such as "linear_velocity.y", to test the detection
 * of divergences. */
JOSTLE_API jostle_result jostle_body_flip_lowest_bit(jostle_world world, jostle_body body,
                                                     const char* field);

#ifdef __cplusplus
}
#endif

#endif
