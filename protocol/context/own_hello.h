#pragma once

#include "protocol/messages.h"

namespace jostle::protocol::context {

/// What a client of this build begins with: the versions and hashes that both ends must share. Name
/// and wishes are its owner's.
Hello own_hello();

}  // namespace jostle::protocol::context
