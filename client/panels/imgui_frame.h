#pragma once

#include "client/panels/font_atlas.h"
#include "client/render/window.h"

#include <SDL.h>

#include <memory>

namespace jostle::panels {

/// Returns true if the event presses one of the keys F1 to F24. Text fields do not take these keys.
bool is_function_key(const SDL_Event& event);

/// Dear ImGui in a window: fonts, style, begin and end of a frame. Only one may exist at a time.
class ImguiFrame {
 public:
  /// Creates the frame. `window` must outlive the frame. Returns null if Dear ImGui cannot load
  /// OpenGL.
  static std::unique_ptr<ImguiFrame> create(render::Window& window);
  ~ImguiFrame();
  ImguiFrame(const ImguiFrame&) = delete;
  ImguiFrame& operator=(const ImguiFrame&) = delete;

  void handle(const SDL_Event& event);
  /// Returns true if a mouse or key event belongs to a panel. A mouse event does if the mouse is
  /// over a panel that takes the mouse. A key does if a text field is active, except function keys.
  bool takes(const SDL_Event& event) const;

  /// Sets the scale of panels relative to window units; 0: the display's density. Limits the scale
  /// so that panels fit into the window, and rebuilds the font for it.
  void set_scale(double scale) { wanted_scale_ = scale; }

  /// Begins and ends a frame. Panels are drawn between the two, into the bound framebuffer.
  void begin();
  void end();

 private:
  explicit ImguiFrame(render::Window& window) : window_(&window) {}
  void settle_scale();

  render::Window* window_;
  double wanted_scale_ = 0;
  float scale_ = 1;
  float font_pixels_ = 0;  // size that the font was built for
  FontAtlas atlas_;
};

/// Returns the effective scale for a wanted one (0: the display's density) in a window of this
/// size.
float settled_scale(double wanted, float density, render::Size window);

}  // namespace jostle::panels
