#pragma once

#include "shared/command_line/command_line.h"
#include "shared/keyring/client_access.h"

namespace jostle::tools {

/// What a command needs to come into a server: --token, --psk, --key and --known-servers, and what
/// JOSTLE_TOKEN holds. `access` outlives the parsing.
void add_access_options(command_line::App command, keyring::ClientAccessOptions& access);

}  // namespace jostle::tools
