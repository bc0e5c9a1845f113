#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jostle::scene::detail {

/// A key of a table, or a value of an enum, that version 0.2.0 renamed.
struct RenamedKey {
  std::string_view definition;  // table or enum of scene.fbs
  std::string_view old_name, new_name;
};

std::span<const RenamedKey> renamed_keys();

/// Returns an error message with the new name if version 0.2.0 renamed `name` in this table or enum
/// of scene.fbs; otherwise an empty string.
std::string rename_hint(std::string_view definition, std::string_view name);

}  // namespace jostle::scene::detail
