#include "client/render/unit_meshes.h"

namespace jostle::render {

shape_mesh::Mesh unit_mesh(MeshSlot slot) {
  if (slot == box_slot) return shape_mesh::box_mesh();
  const RoundMesh& mesh = round_meshes[slot];
  switch (mesh.kind) {
    case state::ShapeKind::Capsule:
      return shape_mesh::capsule_mesh(mesh.slices, mesh.stacks);
    case state::ShapeKind::Cylinder:
      return shape_mesh::cylinder_mesh(mesh.slices);
    case state::ShapeKind::Cone:
      return shape_mesh::cone_mesh(mesh.slices);
    default:
      return shape_mesh::sphere_mesh(mesh.slices);
  }
}

}  // namespace jostle::render
