#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"
#include "shared/scene/scene_generated.h"

#include <string>

namespace jostle::scene::detail {

/// Returns the name of a kind for error messages, e.g. "six-DOF".
std::string kind_name(JointKind kind);
/// Reads a vector and returns it with unit length. Uses `fallback` if `numbers` is null. Fails the
/// reader if the vector is zero.
math::Vec3 read_direction(ValueReader& reader, const Numbers* numbers, const Path& path,
                          math::Vec3 fallback);
/// Reads the fields that only some kinds of joints use. Fails the reader if a field is given that
/// the joint's kind does not use.
void read_joint_details(ValueReader& reader, const wire::Joint& table, const Path& path,
                        SceneJoint& joint);

}  // namespace jostle::scene::detail
