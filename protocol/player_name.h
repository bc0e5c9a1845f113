#pragma once

#include <string>
#include <string_view>

namespace jostle::protocol {

/// Returns the reason why `name` is not a valid name of a player or server, or an empty string if
/// it is valid. A valid name is a wire text of 1 to max_name_bytes bytes that keeps the rules of
/// base::visible_name_fault(). Both the client and the server check names.
std::string name_fault(std::string_view name);

}  // namespace jostle::protocol
