#pragma once

#include "shared/math/vec3.h"
#include "shared/state/solid.h"

#include <cstdint>
#include <vector>

namespace jostle::shape_mesh {

/// A vertex of a unit shape. In its body's frame it lies at unit · scale + (0, segment · stretch,
/// 0), with the instance's scale and stretch. One mesh therefore serves capsules of every
/// proportion.
struct MeshVertex {
  math::Vec3 unit;
  math::Vec3 normal;  // unit normal, valid for uniform scale
  float segment = 0;  // −1 or 1 on capsules, 0 elsewhere
};

/// Triangles, counter-clockwise seen from outside.
struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<std::uint16_t> indices;
};

/// Returns the mesh with the vertices at the same position merged into one, for callers that do not
/// use normals.
Mesh welded(const Mesh& mesh);

/// Returns the cube [−1, 1]³ with flat faces.
Mesh box_mesh();
/// Returns the unit sphere as an icosahedron subdivided `levels` times (20·4^levels triangles). Its
/// vertices lie slightly outside the sphere, so that its mean radius is 1.
Mesh sphere_mesh(int levels);
/// Returns a capsule along y: two hemispheres of `slices`·`stacks` quads each, and a cylinder of
/// `slices` quads between them.
Mesh capsule_mesh(int slices, int stacks);
/// Returns a cylinder of radius 1 from −1 to 1 along y, with flat ends.
Mesh cylinder_mesh(int slices);
/// Returns a cone with its base of radius 1 at y = −1 and its tip at y = 1.
Mesh cone_mesh(int slices);

/// Returns the triangles of a hull, a mesh or a height field as three vertices each, with flat
/// normals.
std::vector<MeshVertex> solid_corners(const state::Solid& solid);

}  // namespace jostle::shape_mesh
