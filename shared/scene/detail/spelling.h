#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// Returns "; did you mean \"mass\"?" with the known word closest to `word`, or an empty string if
/// none is within two edits.
std::string spelling_hint(std::string_view word, std::span<const std::string_view> known);

/// Returns the end of an error about an unknown name: the known names, and the one that was
/// probably meant, such as "; accepted are \"ball\" and \"crate\"; did you mean \"crate\"?". Lists
/// at most `max_listed` names and states how many more there are.
std::string name_hint(std::string_view word, std::span<const std::string_view> known,
                      std::size_t max_listed = 8);

}  // namespace jostle::scene::detail
