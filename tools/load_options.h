#pragma once

#include "tools/load/swarm.h"

#include <CLI/CLI.hpp>

namespace jostle::tools {

/// How many bots, and what they do; for all commands that run some. Returns --players. More of them
/// than --clients are an error in the command line; where only --clients is given, fewer play.
CLI::Option* add_swarm_options(CLI::App& command, load::SwarmOptions& bots);

}  // namespace jostle::tools
