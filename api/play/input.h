#pragma once

#include "shared/state/command.h"
#include "shared/state/input.h"

#include <jostle/play.h>

namespace jostle::api {

/// Returns the engine's form of an input; refuses values that a server would reject. `name` is the
/// argument of the caller.
state::PlayerInput checked_input(const jostle_input& input, const char* name);
state::Action checked_action(const jostle_action& action, const char* name);
/// Returns the engine's form of a command; refuses invalid ones.
state::ControlCommand checked_control(jostle_control control, std::uint32_t number);
jostle_input to_c(const state::PlayerInput& input);

}  // namespace jostle::api
