#pragma once

#include "shared/forces/force_field.h"
#include "shared/physics/handles.h"

namespace jostle::physics {

/// The definition of a force generator. The field must pass `forces::is_valid`. A thrust needs a
/// dynamic body. A pole may be attached to a body of any kind, at most forces::max_arm from the
/// origin of its frame. Other fields have no body. A field is destroyed with its body.
struct ForceFieldDef {
  forces::ForceField field;
  BodyHandle body;

  bool operator==(const ForceFieldDef&) const = default;
};

}  // namespace jostle::physics
