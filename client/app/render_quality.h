#pragma once

#include "client/render/renderer.h"
#include "client/render/window.h"
#include "client/settings/settings.h"
#include "shared/net/io.h"
#include "shared/state/tick.h"

#include <functional>
#include <optional>
#include <string>

namespace jostle::client_app {

/// Quality of still pictures.
inline constexpr render::RenderOptions best_quality{.size = {}, .samples = 4, .shadow_size = 2'048};

/// Returns the render options for the settings. Quality Auto means High. With a software renderer,
/// however, it means Low for shadows and Off for anti-aliasing.
render::RenderOptions render_options(const settings::Settings& settings,
                                     const render::Window& window);

/// Returns a file name for a screenshot of `tick` that does not exist in the working folder. For
/// tick 900, the name is "jostle-900.png", or "jostle-900-2.png" and so on if that file exists: two
/// screenshots of one tick may show different views.
std::string new_picture_path(state::Tick tick);

/// Draws the picture again at the best quality, then calls `draw_over`, which draws on top, and
/// saves the result as a PNG. Returns an error message, or null on success.
std::optional<std::string> save_best_picture(net::Io& io, const render::Window& window,
                                             render::Size size, const render::Picture& picture,
                                             const std::function<void()>& draw_over,
                                             const std::string& path);

}  // namespace jostle::client_app
