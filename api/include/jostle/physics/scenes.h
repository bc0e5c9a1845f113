/* Scenes: worlds that are described by a JSON text (docs/SCENES.md). */
#ifndef JOSTLE_PHYSICS_SCENES_H
#define JOSTLE_PHYSICS_SCENES_H

#include <jostle/physics/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of scenes of a process. */
#define JOSTLE_MAX_SCENES 1024

/** Reads and checks a scene. `text` has `length` bytes; `file_name` is used in error messages and
 * may be null. On JOSTLE_ERROR_INVALID_DATA, jostle_last_error() gives the line and the column. */
JOSTLE_API jostle_result jostle_scene_create(const char* text, size_t length, const char* file_name,
                                             jostle_scene* scene);
/** Destroys a scene. Worlds that were filled with it stay. */
JOSTLE_API jostle_result jostle_scene_destroy(jostle_scene scene);
/** Returns 1 if the scene exists, else 0. */
JOSTLE_API jostle_bool jostle_scene_is_alive(jostle_scene scene);
/** Writes the settings of the scene's world for this number of steps per second, 1 to 1,000. Set
 *  `def->size` before the call. */
JOSTLE_API jostle_result jostle_scene_get_world_def(jostle_scene scene, uint32_t steps_per_second,
                                                    jostle_world_def* def);
/** Creates the material pairs, bodies, joints, force fields and particles of a scene in an empty
 *  world. Players, rules and explosions are not part of a world. */
JOSTLE_API jostle_result jostle_scene_instantiate(jostle_scene scene, jostle_world world);
/** Writes the number of bodies of a scene. After jostle_scene_instantiate(), body i of the scene is
 *  element i of jostle_world_get_bodies(). */
JOSTLE_API jostle_result jostle_scene_get_body_count(jostle_scene scene, size_t* count);
/** Writes the name of a body as a text with a final zero, cut to `capacity` bytes. The name is
 * empty if the scene gives none. */
JOSTLE_API jostle_result jostle_scene_get_body_name(jostle_scene scene, size_t index, char* name,
                                                    size_t capacity);
/** Writes the index of the body with this name. */
JOSTLE_API jostle_result jostle_scene_find_body(jostle_scene scene, const char* name,
                                                size_t* index);

#ifdef __cplusplus
}
#endif

#endif
