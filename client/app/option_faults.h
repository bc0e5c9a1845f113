#pragma once

#include "client/app/options.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

// Conflicts between options. The functions return an error message, or null if there is no
// conflict. `given` holds the names of the options on the command line.

/// Checks options that --gallery does not accept.
std::optional<std::string> gallery_fault(const std::vector<std::string>& given);
/// Returns an error if an option needs a recording but none is played, or if a recording is played
/// and an option needs a server.
std::optional<std::string> replay_fault(const Options& options,
                                        const std::vector<std::string>& given);
/// Returns an error if a scene file is previewed and an option needs another server.
std::optional<std::string> preview_fault(const Options& options,
                                         const std::vector<std::string>& given);

}  // namespace jostle::client_app
