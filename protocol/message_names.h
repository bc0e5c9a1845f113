#pragma once

#include <string_view>

namespace jostle::protocol {

/// Returns the name for display of the messages with this file identifier ("JSN2": "snapshots");
/// the identifier itself if it is unknown. Also knows the identifier that net::ByteLedger uses for
/// continuation fragments of long messages.
std::string_view name_of_message(std::string_view letters);

}  // namespace jostle::protocol
