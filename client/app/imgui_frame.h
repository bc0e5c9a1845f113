#pragma once

#include "client/app/window.h"

#include <SDL.h>

#include <memory>

namespace jostle::client_app {

/// Dear ImGui in a window: fonts, style, and what a frame begins and ends with. One at a time.
class ImguiFrame {
 public:
  /// `window` must outlive it; nothing when Dear ImGui finds no OpenGL of its own.
  static std::unique_ptr<ImguiFrame> create(Window& window);
  ~ImguiFrame();
  ImguiFrame(const ImguiFrame&) = delete;
  ImguiFrame& operator=(const ImguiFrame&) = delete;

  void handle(const SDL_Event& event);
  /// Whether the mouse is over a panel that takes it.
  bool wants_mouse() const;
  /// Whether something is being typed into a field.
  bool wants_text() const;

  /// Panels are drawn between the two, into the bound frame.
  void begin();
  void end();

 private:
  ImguiFrame() = default;
};

}  // namespace jostle::client_app
