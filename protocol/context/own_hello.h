#pragma once

#include "protocol/messages.h"

namespace jostle::protocol::context {

/// Returns the Hello of this build with the versions and hashes that both ends must share. The
/// caller sets the name, role and profile.
Hello own_hello();

}  // namespace jostle::protocol::context
