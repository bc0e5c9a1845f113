#pragma once

#include "shared/command_line/command_line.h"
#include "shared/keyring/client_access.h"

namespace jostle::tools {

/// Adds the options that a command needs to join a server: --token, --psk, --key and
/// --known-servers. They set the members of `access`, which must outlive the parsing. The default
/// of --token is the environment variable JOSTLE_TOKEN.
void add_access_options(command_line::App command, keyring::ClientAccessOptions& access);

}  // namespace jostle::tools
