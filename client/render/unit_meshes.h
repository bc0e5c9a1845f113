#pragma once

#include "client/render/instances.h"
#include "shared/shape_mesh/mesh.h"

namespace jostle::render {

/// Returns the mesh that is scaled to the instances of a slot. Contract: slot < mesh_slot_count.
shape_mesh::Mesh unit_mesh(MeshSlot slot);

}  // namespace jostle::render
