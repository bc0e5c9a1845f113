#pragma once

#include "client/render/window.h"

#include <SDL.h>

#include <memory>

namespace jostle::panels {

/// Dear ImGui in a window: fonts, style, and what a frame begins and ends with. One at a time.
class ImguiFrame {
 public:
  /// `window` must outlive it; nothing when Dear ImGui finds no OpenGL of its own.
  static std::unique_ptr<ImguiFrame> create(render::Window& window);
  ~ImguiFrame();
  ImguiFrame(const ImguiFrame&) = delete;
  ImguiFrame& operator=(const ImguiFrame&) = delete;

  void handle(const SDL_Event& event);
  /// Whether a click, a wheel or a key is a panel's own: the mouse is over one that takes it, or
  /// something is being typed.
  bool takes(const SDL_Event& event) const;

  /// How many units of the window one of the panels' is; 0: as dense as the display is. Letters are
  /// drawn anew for it. Never so many that a window's panels would not fit into it.
  void set_scale(double scale) { wanted_scale_ = scale; }

  /// Panels are drawn between the two, into the bound frame.
  void begin();
  void end();

 private:
  explicit ImguiFrame(render::Window& window) : window_(&window) {}
  void settle_scale();

  render::Window* window_;
  double wanted_scale_ = 0;
  float scale_ = 1;
  float font_pixels_ = 0;  // that the letters were drawn for
};

/// What scale comes of one that is wanted (0: the display's density) in a window of this size.
float settled_scale(double wanted, float density, render::Size window);

}  // namespace jostle::panels
