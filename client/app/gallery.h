#pragma once

#include "client/app/options.h"
#include "client/app/viewer.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

/// The scenes that a gallery is to show. The error is one line that says which of them cannot be
/// read, and why.
base::Result<std::vector<scene::SceneDef>, std::string> read_gallery(net::Io& io,
                                                                     const Options& options);

/// Draws each into a PNG of its name in the options' folder, which is made where it is missing: the
/// scene's own view at the moment at which it looks best. Prints a line for each. What went wrong,
/// in words, or nothing.
std::optional<std::string> draw_gallery(net::Io& io, const Options& options,
                                        const std::vector<scene::SceneDef>& scenes,
                                        const StopQuestion& should_stop);

}  // namespace jostle::client_app
