/* Queries: ray casts, shape casts, closest points and overlaps.
 *
 * Queries see the world as the last step or call left it. Functions for batches return for each
 * query the result of the function for one. They run on all threads of the world.
 *
 * A stride is the distance of two elements of an array in bytes. It is at least the size of an
 * element; 0 stands for that size.
 */
#ifndef JOSTLE_PHYSICS_QUERIES_H
#define JOSTLE_PHYSICS_QUERIES_H

#include <jostle/physics/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The shapes that a query sees. A null pointer stands for the default. */
typedef struct jostle_query_filter {
  size_t size;
  uint32_t mask;            /* sees shapes whose category has a bit of it */
  jostle_bool sees_sensors; /* 1: also sees sensors */
} jostle_query_filter;

/** Writes the default, which sees all shapes except sensors. */
JOSTLE_DEFINE_DEFAULT(jostle_query_filter)

/** A ray from `origin` to `origin + translation`. */
typedef struct jostle_ray {
  jostle_position origin;  /* m, in the world */
  jostle_vec3 translation; /* m */
} jostle_ray;

/** The result of a ray cast or a shape cast. */
typedef struct jostle_cast_hit {
  jostle_bool is_hit;    /* 0: nothing was hit, and the other fields are zero */
  float fraction;        /* 0 to 1: share of the translation up to the hit */
  jostle_shape shape;    /* that was hit */
  jostle_body body;      /* of the shape */
  jostle_position point; /* of the hit, m */
  jostle_vec3 normal;    /* outward unit normal of the shape that was hit */
  uint32_t reserved;     /* 0 */
} jostle_cast_hit;

/** Writes the first hit of a ray. */
JOSTLE_API jostle_result jostle_world_cast_ray(jostle_world world, const jostle_ray* ray,
                                               const jostle_query_filter* filter,
                                               jostle_cast_hit* hit);
/** Lists all hits of a ray, the nearest first. */
JOSTLE_API jostle_result jostle_world_cast_ray_all(jostle_world world, const jostle_ray* ray,
                                                   const jostle_query_filter* filter,
                                                   jostle_cast_hit* hits, size_t stride,
                                                   size_t capacity, size_t* count);
/** Writes the first hit of each of `count` rays. */
JOSTLE_API jostle_result jostle_world_cast_rays(jostle_world world, const jostle_ray* rays,
                                                size_t rays_stride, size_t count,
                                                const jostle_query_filter* filter,
                                                jostle_cast_hit* hits, size_t hits_stride);

/** A convex shape for queries; it is not part of the world. Sizes may be 0, so that a sphere may be
 *  a point. */
typedef struct jostle_query_shape {
  size_t size;
  jostle_shape_kind kind;   /* sphere, box, capsule, cylinder, cone or hull */
  float radius;             /* m */
  float half_height;        /* m */
  jostle_vec3 half_extents; /* m, of a box */
  jostle_solid solid;       /* of a hull */
  jostle_pose pose;         /* in the world */
  jostle_vec3 translation;  /* m; shape casts move the shape by it, other queries ignore it */
  uint32_t reserved;        /* must be 0 */
} jostle_query_shape;

/** Writes the default: a point at the origin. */
JOSTLE_DEFINE_DEFAULT(jostle_query_shape)
/** Writes the first shape that the moving shape hits. Shapes that overlap it at the start are
 *  ignored. */
JOSTLE_API jostle_result jostle_world_cast_shape(jostle_world world,
                                                 const jostle_query_shape* shape,
                                                 const jostle_query_filter* filter,
                                                 jostle_cast_hit* hit);
/** Lists all shapes that the moving shape hits if nothing stops it, the first one first. */
JOSTLE_API jostle_result jostle_world_cast_shape_all(jostle_world world,
                                                     const jostle_query_shape* shape,
                                                     const jostle_query_filter* filter,
                                                     jostle_cast_hit* hits, size_t stride,
                                                     size_t capacity, size_t* count);
/** Writes the first hit of each of `count` moving shapes. */
JOSTLE_API jostle_result jostle_world_cast_shapes(jostle_world world,
                                                  const jostle_query_shape* shapes,
                                                  size_t shapes_stride, size_t count,
                                                  const jostle_query_filter* filter,
                                                  jostle_cast_hit* hits, size_t hits_stride);

/** The closest points of a query shape and a shape of the world. */
typedef struct jostle_closest_hit {
  jostle_bool is_hit; /* 0: nothing is near enough, and the other fields are zero */
  float distance;     /* m; minus the depth if the shapes overlap */
  jostle_shape shape; /* nearest one */
  jostle_body body;   /* of the shape */
  jostle_position point_on_query, point_on_shape; /* closest points, m */
  jostle_vec3 normal; /* unit vector from the shape of the world to the query shape */
  uint32_t reserved;  /* 0 */
} jostle_closest_hit;

/** Writes the shape nearest to the query shape, within `max_distance` m. */
JOSTLE_API jostle_result jostle_world_closest(jostle_world world, const jostle_query_shape* shape,
                                              float max_distance, const jostle_query_filter* filter,
                                              jostle_closest_hit* hit);
/** Lists all shapes within `max_distance` m, the nearest first. */
JOSTLE_API jostle_result jostle_world_closest_all(jostle_world world,
                                                  const jostle_query_shape* shape,
                                                  float max_distance,
                                                  const jostle_query_filter* filter,
                                                  jostle_closest_hit* hits, size_t stride,
                                                  size_t capacity, size_t* count);
/** Writes the nearest shape of each of `count` query shapes. */
JOSTLE_API jostle_result jostle_world_closest_of_each(jostle_world world,
                                                      const jostle_query_shape* shapes,
                                                      size_t shapes_stride, size_t count,
                                                      float max_distance,
                                                      const jostle_query_filter* filter,
                                                      jostle_closest_hit* hits, size_t hits_stride);

/** Lists the shapes whose bounds overlap a box, sorted by handle. */
JOSTLE_API jostle_result jostle_world_overlap_aabb(jostle_world world, const jostle_aabb* box,
                                                   const jostle_query_filter* filter,
                                                   jostle_shape* shapes, size_t capacity,
                                                   size_t* count);
/** Lists the shapes that overlap a query shape, sorted by handle. */
JOSTLE_API jostle_result jostle_world_overlap_shape(jostle_world world,
                                                    const jostle_query_shape* shape,
                                                    const jostle_query_filter* filter,
                                                    jostle_shape* shapes, size_t capacity,
                                                    size_t* count);
/** Lists the shapes that overlap each of `box_count` boxes. Writes the number of shapes of each box
 *  to `counts`, and the lists of all boxes one after another to `shapes`. */
JOSTLE_API jostle_result jostle_world_overlap_aabbs(jostle_world world, const jostle_aabb* boxes,
                                                    size_t box_count,
                                                    const jostle_query_filter* filter,
                                                    size_t* counts, jostle_shape* shapes,
                                                    size_t capacity, size_t* count);
/** Lists the shapes that overlap each of `query_count` shapes, as the function above. */
JOSTLE_API jostle_result jostle_world_overlap_shapes(jostle_world world,
                                                     const jostle_query_shape* queries,
                                                     size_t queries_stride, size_t query_count,
                                                     const jostle_query_filter* filter,
                                                     size_t* counts, jostle_shape* shapes,
                                                     size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif

#endif
