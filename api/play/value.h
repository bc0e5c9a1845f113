#pragma once

#include "shared/state/label.h"

#include <jostle/play.h>

#include <string>

namespace jostle::api {

/// Copies a text of the caller; refuses texts that are longer than `max_bytes`, are not UTF-8, or
/// have control characters. `capacity` is the size of the caller's array.
std::string checked_text(const char* text, std::size_t capacity, std::size_t max_bytes,
                         const char* name);
/// Returns the label of a value; refuses invalid ones.
state::Label checked_value(const jostle_value& value);
jostle_value to_c(const state::Label& label);

}  // namespace jostle::api
