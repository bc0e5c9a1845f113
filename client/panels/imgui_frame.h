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

  /// Panels are drawn between the two, into the bound frame.
  void begin();
  void end();

 private:
  ImguiFrame() = default;
};

}  // namespace jostle::panels
