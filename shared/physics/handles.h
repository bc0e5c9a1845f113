#pragma once

#include "shared/base/handle.h"

namespace jostle::physics {

using BodyHandle = base::Handle<struct BodyTag>;
using ShapeHandle = base::Handle<struct ShapeTag>;
using JointHandle = base::Handle<struct JointTag>;
using ForceFieldHandle = base::Handle<struct FieldTag>;
using ParticleSetHandle = base::Handle<struct ParticleSetTag>;

}  // namespace jostle::physics
