#include "shared/base/program_names.h"

#include <cstdlib>

namespace jostle::base {

ProgramNames program_names(const std::string& run_script) {
  if (run_script.empty()) return {};
  return {run_script + " server", run_script + " view", run_script + " tool"};
}

ProgramNames program_names() {
  const char* const run_script = std::getenv("JOSTLE_RUN");
  return program_names(run_script == nullptr ? std::string() : run_script);
}

}  // namespace jostle::base
