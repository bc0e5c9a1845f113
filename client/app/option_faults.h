#pragma once

#include "client/app/options.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

// Conflicts between options. The functions return a message, or nothing if there is no conflict.
// `given`: names of the options on the command line.

/// Checks options that --gallery does not accept.
std::optional<std::string> gallery_fault(const std::vector<std::string>& given);
/// Checks options of recordings without a recording, and options of servers with one.
std::optional<std::string> replay_fault(const Options& options,
                                        const std::vector<std::string>& given);

}  // namespace jostle::client_app
