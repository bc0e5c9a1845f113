#pragma once

#include <string>
#include <string_view>

namespace jostle::protocol {

/// Returns the reason why `name` is not a name of a player or server, or an empty string if it is
/// one. A name is a wire text of 1 to max_name_bytes bytes that keeps the rules of
/// base::visible_name_fault(). The client and the server apply this rule.
std::string name_fault(std::string_view name);

}  // namespace jostle::protocol
