#pragma once

#include <string_view>

namespace jostle::protocol {

/// Returns the display name of a net::TrafficLine: of the messages with a file identifier ("JSN2":
/// "snapshots"), of continuation fragments ("...."), or of a layer ("sealing": "encryption").
/// Returns `kind` if it has no other display name.
std::string_view name_of_message(std::string_view kind);
/// Returns the key of a net::TrafficLine in the JSON output of `jostle bench server`.
std::string_view json_key_of_message(std::string_view kind);

}  // namespace jostle::protocol
