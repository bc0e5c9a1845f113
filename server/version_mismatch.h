#pragma once

#include "protocol/messages.h"

#include <string>

namespace jostle::server {

/// Returns one sentence for a client whose protocol version, schema hash or priors hash differs
/// from the server's. It names both versions and what to do.
std::string describe_version_mismatch(const protocol::Hello& hello);

}  // namespace jostle::server
