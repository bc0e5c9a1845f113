#pragma once

#include "shared/scene/detail/json_lexer.h"

#include <string_view>

namespace jostle::scene::detail {

/// Returns the location of the value at a path such as bodies[12].mass. If the path does not exist
/// in the text, for example because a field is missing, returns the location of the innermost table
/// or list on the path that exists. `text` must be accepted by parse_json().
TextPlace place_of_value(std::string_view text, std::string_view path);

}  // namespace jostle::scene::detail
