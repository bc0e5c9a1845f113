#pragma once

#include <string_view>

namespace jostle::protocol {

/// Returns the display name of the messages with the file identifier `letters` ("JSN2":
/// "snapshots"), or `letters` if it is unknown. Also knows the identifier that net::ByteLedger uses
/// for continuation fragments of long messages.
std::string_view name_of_message(std::string_view letters);

}  // namespace jostle::protocol
