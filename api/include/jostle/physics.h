/* The physics engine: deterministic worlds of rigid bodies, joints, force fields and particles.
 *
 * A minimal program:
 *
 *   jostle_world_def def;
 *   jostle_world world;
 *   jostle_world_def_default(&def);
 *   jostle_world_create(&def, &world);
 *   ...
 *   jostle_world_step(world);
 *   jostle_world_destroy(world);
 *
 * docs/ENGINE_GUIDE.md explains all concepts with examples.
 */
#ifndef JOSTLE_PHYSICS_H
#define JOSTLE_PHYSICS_H

#include <jostle/base.h>
#include <jostle/physics/bodies.h>
#include <jostle/physics/debug_draw.h>
#include <jostle/physics/events.h>
#include <jostle/physics/fields.h>
#include <jostle/physics/handles.h>
#include <jostle/physics/joints.h>
#include <jostle/physics/particles.h>
#include <jostle/physics/queries.h>
#include <jostle/physics/scenes.h>
#include <jostle/physics/shapes.h>
#include <jostle/physics/solids.h>
#include <jostle/physics/state.h>
#include <jostle/physics/world.h>

#endif
