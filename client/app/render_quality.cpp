#include "client/app/render_quality.h"

#include "client/render/screenshot.h"

#include <filesystem>
#include <system_error>

namespace jostle::client_app {

render::RenderOptions render_options(const settings::Settings& settings,
                                     const render::Window& window) {
  using settings::Quality;
  const auto settled = [&](Quality quality, Quality by_software) {
    if (quality != Quality::Auto) return quality;
    return window.is_software() ? by_software : Quality::High;
  };
  render::RenderOptions render;
  render.size = window.drawable_size();
  const Quality edges = settled(settings.edges, Quality::Off);
  const Quality shadows = settled(settings.shadows, Quality::Low);
  render.samples = edges == Quality::High  ? best_quality.samples
                   : edges == Quality::Low ? best_quality.samples / 2
                                           : 0;
  render.shadow_size = shadows == Quality::High  ? best_quality.shadow_size
                       : shadows == Quality::Low ? best_quality.shadow_size / 2
                                                 : 0;
  render.shadow_taps = shadows == Quality::High ? best_quality.shadow_taps : 1;
  return render;
}

std::string new_picture_path(state::Tick tick) {
  const std::string name = "jostle-" + std::to_string(tick.number);
  std::string path = name + ".png";
  std::error_code error;
  for (int next = 2; std::filesystem::exists(path, error); ++next)
    path = name + "-" + std::to_string(next) + ".png";
  return path;
}

std::optional<std::string> save_best_picture(net::Io& io, const render::Window& window,
                                             render::Size size, const render::Picture& picture,
                                             const std::function<void()>& draw_over,
                                             const std::string& path) {
  render::RenderOptions options = best_quality;
  options.size = size;
  auto fine = render::Renderer::create(window.gl(), options);
  if (!fine) return "cannot draw the screenshot: " + fine.error();
  fine->draw(picture, [] {});
  draw_over();
  return render::save_png(io, path, fine->read_pixels(), fine->size());
}

}  // namespace jostle::client_app
