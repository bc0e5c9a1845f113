#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the rule that a name breaks, such as "must have a visible character", or an empty string
/// if the name is valid. A name is UTF-8 text with a visible character. It has no control
/// characters, no spaces at its ends, no other spaces than U+0020, and no invisible characters
/// except the joiners and variation selectors that scripts and emoji need.
std::string visible_name_fault(std::string_view name);

}  // namespace jostle::base
