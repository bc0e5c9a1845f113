#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene.h"
#include "shared/scene/scene_generated.h"

#include <string>

namespace jostle::scene::detail {

/// As files call it, in words: "six-axis".
std::string kind_name(JointKind kind);
/// A unit vector.
math::Vec3 read_direction(ValueReader& reader, const Numbers* numbers, const Path& path,
                          math::Vec3 fallback);
/// What only some of the kinds have; fails the reader where a joint of another kind has it.
void read_joint_details(ValueReader& reader, const wire::Joint& table, const Path& path,
                        SceneJoint& joint);

}  // namespace jostle::scene::detail
