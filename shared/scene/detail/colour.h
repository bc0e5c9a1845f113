#pragma once

#include "shared/state/world_def.h"

#include <optional>
#include <span>
#include <string_view>

namespace jostle::scene::detail {

/// Parses "#RRGGBB" or one of colour_names(). Returns nothing for other text.
std::optional<state::Colour> parse_colour(std::string_view text);

std::span<const std::string_view> colour_names();

}  // namespace jostle::scene::detail
