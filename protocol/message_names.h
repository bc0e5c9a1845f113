#pragma once

#include <string_view>

namespace jostle::protocol {

/// Returns the display name of the net::TrafficLine with the name `kind`: a file identifier of
/// messages ("JSN2" gives "snapshots"), "...." for continuation fragments, or a layer ("sealing"
/// gives "encryption"). Returns `kind` if it has no other display name.
std::string_view name_of_message(std::string_view kind);
/// Returns the key of a net::TrafficLine in the JSON output of `jostle bench server`.
std::string_view json_key_of_message(std::string_view kind);

}  // namespace jostle::protocol
