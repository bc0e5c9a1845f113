#pragma once

#include "shared/math/vec3.h"
#include "shared/state/solid.h"

#include <cstdint>
#include <vector>

namespace jostle::shape_mesh {

/// A corner of a unit shape. In its body's frame it lies at
/// unit · scale + (0, segment · stretch, 0), scale and stretch being the instance's: one mesh
/// serves capsules of every proportion.
struct MeshVertex {
  math::Vec3 unit;
  math::Vec3 normal;  // at equal scales
  float segment = 0;  // −1 or 1 on capsules, 0 elsewhere
};

/// Triangles, counter-clockwise from outside.
struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<std::uint16_t> indices;
};

/// The same triangles with one vertex for each place: for what does not look at normals.
Mesh welded(const Mesh& mesh);

/// The cube [−1, 1]³ with flat faces.
Mesh box_mesh();
/// The unit sphere as an icosahedron whose faces were halved `levels` times (20·4^levels
/// triangles); its corners are a little outside, so that its mean radius is 1.
Mesh sphere_mesh(int levels);
/// Two half spheres of `slices`·`stacks` quads each with a side between them, along y.
Mesh capsule_mesh(int slices, int stacks);
/// Radius 1, from −1 to 1 along y, with flat ends.
Mesh cylinder_mesh(int slices);
/// Base of radius 1 at −1, tip at 1.
Mesh cone_mesh(int slices);

/// The triangles of a hull, a mesh or a height field, three corners each, flat.
std::vector<MeshVertex> solid_corners(const state::Solid& solid);

}  // namespace jostle::shape_mesh
