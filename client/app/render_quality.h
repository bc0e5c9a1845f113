#pragma once

#include "client/app/options.h"
#include "client/app/renderer.h"
#include "client/app/window.h"

namespace jostle::client_app {

/// For pictures that are looked at for long.
inline constexpr RenderOptions best_quality{.size = {}, .samples = 4, .shadow_size = 2'048};

/// What the options ask for, as this window can draw it fast enough.
RenderOptions render_options(const Options& options, const Window& window);

}  // namespace jostle::client_app
