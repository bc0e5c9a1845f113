#pragma once

#include "client/app/options.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

// Conflicts between options. The functions return an error message, or null if there is no
// conflict. `given` holds the names of the options on the command line.

/// Returns an error if --gallery is combined with an option other than --scene and --size.
std::optional<std::string> gallery_fault(const std::vector<std::string>& given);
/// Returns an error if --compare or --at-tick is given without a recording. Also returns an error
/// if a recording is combined with --renderer none or with an option that needs a server.
std::optional<std::string> replay_fault(const Options& options,
                                        const std::vector<std::string>& given);
/// Returns an error if the preview of a scene file is combined with an option that applies only to
/// servers, e.g. --token or --lan.
std::optional<std::string> preview_fault(const Options& options,
                                         const std::vector<std::string>& given);

/// Returns an error if an output file is a file that the program reads, or another output. Returns
/// an empty string if there is no conflict.
std::string output_file_fault(const Options& options);

}  // namespace jostle::client_app
