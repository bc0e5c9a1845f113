#pragma once

#include "tools/workload/scene.h"

#include <cstdint>
#include <vector>

namespace jostle::workload {

// Helpers for the functions that make scenes.

std::uint32_t add_shape(Scene& scene, Shape shape);
std::uint32_t add_sphere(Scene& scene, float radius);
std::uint32_t add_box(Scene& scene, math::Vec3 half_extents);
std::uint32_t add_capsule(Scene& scene, float radius, float half_segment);

std::uint32_t add_body(Scene& scene, Motion motion, std::uint32_t shape, math::Vec3 position,
                       math::Quat rotation);
std::uint32_t add_dynamic(Scene& scene, std::uint32_t shape, math::Vec3 position);

/// Adds one static box whose top is y = 0, from −half_width to half_width in x and z.
void add_ground(Scene& scene, float half_width);
/// Adds a floor at y = 0 and four walls: five static boxes.
void add_pit(Scene& scene, float half_width, float height);

/// Indices of the shapes of a rag doll's limbs.
using RagdollShapes = std::vector<std::uint32_t>;

/// Adds the shapes of a rag doll that is about 1.9 m high, multiplied by `scale`.
RagdollShapes add_ragdoll_shapes(Scene& scene, float scale);
/// Adds a rag doll of 11 capsules and 10 joints, with its pelvis at `origin` and its arms spread
/// along x.
void add_ragdoll(Scene& scene, const RagdollShapes& shapes, math::Vec3 origin, math::Quat rotation,
                 float scale);

// One function per scene; docs/BENCHMARKS.md defines the scenes.
Scene make_pyramid(int base);
Scene make_stacks();
Scene make_cubes901();
Scene make_large_world();
Scene make_boxes(std::uint32_t count);
Scene make_spheres_rain();
Scene make_mixed_pile();
Scene make_hull_pile();
Scene make_mesh_terrain();
Scene make_joint_grid();
Scene make_ragdolls();

/// Makes a random scene from the seed: 20 to 80 dynamic bodies of all convex kinds with extents of
/// 0.05 to 5 m and 1 to 1,000 kg, over one of four kinds of floor. Some bodies have joints, of all
/// kinds, and some have an initial velocity. No bodies overlap at the start.
Scene make_random_scene(std::uint32_t seed);

}  // namespace jostle::workload
