#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// "; did you mean \"mass\"?" for the known word that is closest to `word` by at most two edits, or
/// nothing.
std::string spelling_hint(std::string_view word, std::span<const std::string_view> known);

}  // namespace jostle::scene::detail
