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

/// For pictures that are looked at for long.
inline constexpr render::RenderOptions best_quality{.size = {}, .samples = 4, .shadow_size = 2'048};

/// What the settings ask for, as this window can draw it fast enough.
render::RenderOptions render_options(const settings::Settings& settings,
                                     const render::Window& window);

/// "jostle-900.png" in the working folder, or where that is there "jostle-900-2.png" and so on: two
/// pictures of one tick may be of two views.
std::string new_picture_path(state::Tick tick);

/// Draws the picture anew at the best quality, lets `draw_over` draw over it, and writes it to a
/// PNG; what went wrong, in words, or nothing.
std::optional<std::string> save_best_picture(net::Io& io, const render::Window& window,
                                             render::Size size, const render::Picture& picture,
                                             const std::function<void()>& draw_over,
                                             const std::string& path);

}  // namespace jostle::client_app
