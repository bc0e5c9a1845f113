#pragma once

#include "tools/load/swarm.h"

#include <CLI/CLI.hpp>

namespace jostle::tools {

/// How many bots, and what they do; for all commands that run some. Returns --players.
CLI::Option* add_swarm_options(CLI::App& command, load::SwarmOptions& bots);

}  // namespace jostle::tools
