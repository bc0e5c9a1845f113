#pragma once

#include "shared/command_line/command_line.h"
#include "shared/keyring/client_access.h"

namespace jostle::tools {

/// Adds the options that a command needs to join a server: --token, --psk, --key and
/// --known-servers. JOSTLE_TOKEN is the default of --token. `access` must outlive the parsing.
void add_access_options(command_line::App command, keyring::ClientAccessOptions& access);

}  // namespace jostle::tools
