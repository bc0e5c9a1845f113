#pragma once

#include <string_view>

namespace jostle::protocol {

/// What people call the messages with these letters ("JSN2": "snapshots"); the letters themselves
/// where nobody knows them. Those of net::ByteLedger for the rest of long messages are known, too.
std::string_view name_of_message(std::string_view letters);

}  // namespace jostle::protocol
