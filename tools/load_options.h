#pragma once

#include "shared/command_line/command_line.h"
#include "tools/load/swarm.h"

namespace jostle::tools {

/// How many bots, and what they do; for all commands that run some. Returns --players. More of them
/// than --clients are an error in the command line; where only --clients is given, fewer play.
command_line::Option add_swarm_options(command_line::App command, load::SwarmOptions& bots);

}  // namespace jostle::tools
