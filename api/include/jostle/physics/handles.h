/* Handles: names of all objects of the physics engine.
 *
 * Bodies, shapes, joints, fields and particle sets belong to a world. Their handles depend only on
 * the order of the calls, so equal programs get equal handles. A handle also denotes the same
 * object in a copy of its world, and in a world that was restored from a save.
 */
#ifndef JOSTLE_PHYSICS_HANDLES_H
#define JOSTLE_PHYSICS_HANDLES_H

#include <jostle/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A world. Zero bytes are the null handle; this holds for all types below, too. */
typedef struct jostle_world {
  uint32_t index, generation;
} jostle_world;

/** Geometry that shapes share: a hull, a mesh or a height field. */
typedef struct jostle_solid {
  uint32_t index, generation;
} jostle_solid;

/** A scene that was read from a text. */
typedef struct jostle_scene {
  uint32_t index, generation;
} jostle_scene;

/** A rigid body of a world. */
typedef struct jostle_body {
  uint32_t index, generation;
} jostle_body;

/** A shape of a body. */
typedef struct jostle_shape {
  uint32_t index, generation;
} jostle_shape;

/** A joint between two bodies. */
typedef struct jostle_joint {
  uint32_t index, generation;
} jostle_joint;

/** A force field of a world. */
typedef struct jostle_field {
  uint32_t index, generation;
} jostle_field;

/** A set of particles of a world. */
typedef struct jostle_particle_set {
  uint32_t index, generation;
} jostle_particle_set;

#ifdef __cplusplus
}
#endif

#endif
