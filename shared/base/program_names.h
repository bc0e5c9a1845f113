#pragma once

#include <string>

namespace jostle::base {

/// The commands with which the user starts the programs of jostle, for advice in messages.
struct ProgramNames {
  std::string server = "jostled", view = "jostle-view", tool = "jostle";
};

/// Returns the commands for a user who started the program with the script `run` of the repository:
/// "./run server" and so on. If `run_script` is empty, the user started the program itself, and the
/// commands are the names of the programs.
ProgramNames program_names(const std::string& run_script);
/// Returns the commands for the user of this process. The script `run` exports its own path as the
/// environment variable JOSTLE_RUN.
ProgramNames program_names();

}  // namespace jostle::base
