#pragma once

#include <jostle/server/rules.h>

#include <string>
#include <vector>

namespace jostle::api {

/// Runs the command `trace FILE OPTION...` of jostle_recording_main(): writes the trace to the
/// standard output. Throws a Refusal if the file or an option is invalid.
void trace_recording(const char* path, const std::vector<std::string>& options,
                     const jostle_rule_def* rules, std::size_t rule_count);

/// Runs the command `bisect FILE COMMAND...` and prints its finding. Returns true if both programs
/// compute the same states. Throws a Refusal if they cannot be compared.
bool bisect_recording(const char* path, std::vector<std::string> command,
                      const jostle_rule_def* rules, std::size_t rule_count);

}  // namespace jostle::api
