#pragma once

#include "client/app/options.h"
#include "client/app/renderer.h"
#include "client/app/window.h"
#include "shared/net/io.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// For pictures that are looked at for long.
inline constexpr RenderOptions best_quality{.size = {}, .samples = 4, .shadow_size = 2'048};

/// What the options ask for, as this window can draw it fast enough.
RenderOptions render_options(const Options& options, const Window& window);

/// Draws the picture anew at the best quality, lets `draw_over` draw over it, and writes it to a
/// PNG; what went wrong, in words, or nothing.
std::optional<std::string> save_best_picture(net::Io& io, const Window& window, Size size,
                                             const Picture& picture,
                                             const std::function<void()>& draw_over,
                                             const std::string& path);

}  // namespace jostle::client_app
