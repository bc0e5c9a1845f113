#pragma once

#include "shared/base/handle.h"

namespace jostle::physics {

using BodyHandle = base::Handle<struct BodyTag>;
using ShapeHandle = base::Handle<struct ShapeTag>;

}  // namespace jostle::physics
