#pragma once

#include "shared/forces/force_field.h"
#include "shared/physics/handles.h"

namespace jostle::physics {

/// A force generator of a world. Whatever `forces::is_valid` takes; a thrust needs a dynamic body,
/// a pole may stand in the frame of a body of any kind (at most forces::max_arm from its origin),
/// the others have none. It goes when its body does.
struct FieldDef {
  forces::ForceField field;
  BodyHandle body;

  bool operator==(const FieldDef&) const = default;
};

}  // namespace jostle::physics
