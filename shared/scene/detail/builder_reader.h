#pragma once

#include "shared/scene/detail/body_list.h"
#include "shared/scene/detail/part_readers.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jostle::scene::detail {

/// Reads a car. Returns the default car if `table` is null.
CarDef read_car(ValueReader& reader, const wire::Car* table, const Path& path);
/// Adds the bodies of all assemblies to the list, and returns their joints.
std::vector<SceneJoint> read_builders(ValueReader& reader, const Tables<wire::Assembly>* tables,
                                      const Path& path, BodyList& list);
/// Returns the error message for a scene that has too many joints, `count`, because of its
/// assemblies.
std::string too_many_joints(std::size_t count);

}  // namespace jostle::scene::detail
