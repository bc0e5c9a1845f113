#include "client/app/render_quality.h"

namespace jostle::client_app {

RenderOptions render_options(const Options& options, const Window& window) {
  const auto settled = [&](Quality quality) {
    if (quality != Quality::Auto) return quality;
    return window.is_software() ? Quality::Low : Quality::High;
  };
  RenderOptions render;
  render.size = window.drawable_size();
  const Quality edges = settled(options.edges), shadows = settled(options.shadows);
  render.samples = edges == Quality::High ? best_quality.samples : 0;
  render.shadow_size = shadows == Quality::High  ? best_quality.shadow_size
                       : shadows == Quality::Low ? best_quality.shadow_size / 2
                                                 : 0;
  return render;
}

}  // namespace jostle::client_app
