#pragma once

#include "shared/command_line/command_line.h"
#include "tools/load/swarm.h"

namespace jostle::tools {

/// Adds the options for the number and behaviour of the bots, shared by all commands that run bots.
/// Returns the option --players. More players than --clients are an error. If --players is not
/// given, the number of players is its default or --clients, whichever is smaller.
command_line::Option add_swarm_options(command_line::App command, load::SwarmOptions& bots);

}  // namespace jostle::tools
