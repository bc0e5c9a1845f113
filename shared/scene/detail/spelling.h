#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// Returns "; did you mean \"mass\"?" with the known word closest to `word`, or an empty string if
/// none is within two edits.
std::string spelling_hint(std::string_view word, std::span<const std::string_view> known);

}  // namespace jostle::scene::detail
