#pragma once

#include "api/base/definition.h"
#include "shared/forces/integrators.h"
#include "shared/physics/body.h"

#include <jostle/physics/bodies.h>

#include <optional>

namespace jostle::api {

template <>
jostle_body_def default_of();

/// Returns the definition of a body; refuses invalid ones.
physics::BodyDef checked_body(const jostle_body_def& def);

/// Returns the integrator with this number, which must be at least `first`. Returns nothing for
/// JOSTLE_INTEGRATOR_DEFAULT.
std::optional<forces::Integrator> checked_integrator(jostle_integrator integrator,
                                                     jostle_integrator first, const char* name);

}  // namespace jostle::api
