#pragma once

#include "client/app/options.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

// Options that do not go together, in words; nothing where they do. `given`: what the command line
// held, by name.

/// Of pictures of scenes and of anything else.
std::optional<std::string> gallery_fault(const std::vector<std::string>& given);
/// Of a recording and of a server.
std::optional<std::string> replay_fault(const Options& options,
                                        const std::vector<std::string>& given);

}  // namespace jostle::client_app
