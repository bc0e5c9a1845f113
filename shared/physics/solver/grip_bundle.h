#pragma once

#include "shared/physics/solver/body_block.h"

namespace jostle::physics {

/// The coefficients of static friction of the eight contacts of a bundle, none below that of
/// sliding. Stands beside the bundle where they differ at any contact.
struct alignas(32) GripBundle {
  Lanes friction;
};

}  // namespace jostle::physics
