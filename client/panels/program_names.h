#pragma once

#include <string>

namespace jostle::panels {

/// The commands with which the user starts the programs of jostle.
struct ProgramNames {
  std::string server = "jostled", view = "jostle-view", tool = "jostle";
};

/// Returns the commands for a user who started the client with the script `run` of the repository:
/// "./run server" and so on. If `run_script` is empty, the user started the client itself, and the
/// commands are the names of the programs.
inline ProgramNames program_names(const std::string& run_script) {
  if (run_script.empty()) return {};
  return {run_script + " server", run_script + " view", run_script + " tool"};
}

}  // namespace jostle::panels
