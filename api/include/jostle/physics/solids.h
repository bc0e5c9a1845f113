/* Solids: geometry that shapes share, namely hulls, meshes and height fields.
 *
 * A solid is immutable. Shapes and saves keep referring to its content when its handle is
 * destroyed.
 */
#ifndef JOSTLE_PHYSICS_SOLIDS_H
#define JOSTLE_PHYSICS_SOLIDS_H

#include <jostle/physics/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of solid handles of a process. */
#define JOSTLE_MAX_SOLIDS 65536

/** Creates the convex hull of points, which are 3 floats each, in m. `stride` is the distance of
 * two points in bytes, or 0 for 12. There may be 4 to 16,384 points. Points that lie within the
 * hull of the others are dropped; the hull may have up to 256 vertices. */
JOSTLE_API jostle_result jostle_solid_create_hull(const float* points, size_t stride, size_t count,
                                                  jostle_solid* solid);
/** Creates a triangle mesh, for static bodies. Vertices are 3 floats in m, with a stride as above.
 *  Each triangle is 3 indices, counter-clockwise seen from outside. Triangles without area are an
 *  error. */
JOSTLE_API jostle_result jostle_solid_create_mesh(const float* vertices, size_t stride,
                                                  size_t vertex_count, const uint32_t* indices,
                                                  size_t triangle_count, jostle_solid* solid);
/** Creates a height field, for static bodies. It has count_x · count_z heights in m; the height of
 *  sample (i, j) is number i·count_z + j and lies at x = i·cell_x, z = j·cell_z. */
JOSTLE_API jostle_result jostle_solid_create_height_field(const float* heights, uint32_t count_x,
                                                          uint32_t count_z, float cell_x,
                                                          float cell_z, jostle_solid* solid);
/** Approximates the solid that a closed mesh encloses with convex hulls that deviate from it by at
 *  most `max_error` m. The arguments of the mesh are those of jostle_solid_create_mesh(). Creates
 * up to `capacity` hulls, at most 256; with fewer than needed the deviation exceeds `max_error`.
 * Writes the deviation to `error`, unless it is null. */
JOSTLE_API jostle_result jostle_solid_decompose_mesh(const float* vertices, size_t stride,
                                                     size_t vertex_count, const uint32_t* indices,
                                                     size_t triangle_count, float max_error,
                                                     jostle_solid* solids, size_t capacity,
                                                     size_t* count, float* error);
/** Destroys the handle of a solid. */
JOSTLE_API jostle_result jostle_solid_destroy(jostle_solid solid);
/** Returns 1 if the handle of a solid exists, else 0. */
JOSTLE_API jostle_bool jostle_solid_is_alive(jostle_solid solid);

/** The size of a solid. */
typedef struct jostle_solid_info {
  size_t size;
  int32_t kind;            /* JOSTLE_SHAPE_HULL, JOSTLE_SHAPE_MESH or JOSTLE_SHAPE_HEIGHT_FIELD */
  uint32_t vertex_count;   /* number of vertices */
  uint32_t triangle_count; /* faces of hulls count as several triangles */
  uint64_t content_hash;   /* equal for equal geometry, on every machine */
} jostle_solid_info;

/** Writes the size of a solid. Set `info->size` before the call. */
JOSTLE_API jostle_result jostle_solid_get_info(jostle_solid solid, jostle_solid_info* info);
/** Lists the vertices of a solid. */
JOSTLE_API jostle_result jostle_solid_get_vertices(jostle_solid solid, jostle_vec3* vertices,
                                                   size_t capacity, size_t* count);
/** Lists the triangles of a solid, as 3 vertex numbers each. `capacity` and `count` are numbers of
 *  triangles. */
JOSTLE_API jostle_result jostle_solid_get_triangles(jostle_solid solid, uint32_t* indices,
                                                    size_t capacity, size_t* count);

/** Registers a solid with a world, so that the world can restore saves that refer to it. Adding a
 *  shape registers its solid. */
JOSTLE_API jostle_result jostle_world_add_solid(jostle_world world, jostle_solid solid);
/** Creates another handle of the registered solid with this content hash. */
JOSTLE_API jostle_result jostle_world_find_solid(jostle_world world, uint64_t content_hash,
                                                 jostle_solid* solid);

#ifdef __cplusplus
}
#endif

#endif
