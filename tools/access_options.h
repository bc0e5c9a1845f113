#pragma once

#include "shared/keyring/client_access.h"

#include <CLI/CLI.hpp>

namespace jostle::tools {

/// What a command needs to come into a server: --token, --psk, --key and --known-servers, and what
/// JOSTLE_TOKEN holds. `access` outlives the parsing.
void add_access_options(CLI::App& command, keyring::ClientAccessOptions& access);

}  // namespace jostle::tools
