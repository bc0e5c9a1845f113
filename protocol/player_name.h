#pragma once

#include <string>
#include <string_view>

namespace jostle::protocol {

/// Returns the reason why `name` is not a name of a player or server, or an empty string if it is
/// one. A name is a wire text of 1 to max_name_bytes bytes with a visible character. It has no
/// spaces at its ends, no other spaces than U+0020, and no invisible characters except the joiners
/// and variation selectors that scripts and emoji need. The client and the server apply this rule.
std::string name_fault(std::string_view name);

/// Returns true if two valid names look the same, because they differ in invisible characters only.
bool are_names_alike(std::string_view a, std::string_view b);

}  // namespace jostle::protocol
