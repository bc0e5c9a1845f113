#pragma once

#include "client/render/camera.h"
#include "client/render/gl_functions.h"
#include "shared/base/result.h"

#include <SDL.h>

#include <memory>
#include <string>

namespace jostle::render {

struct WindowOptions {
  std::string title = "jostle";
  Size size;
  bool is_fullscreen = false;
  bool is_offscreen = false;  // rendered without a display, through EGL
};

/// SDL, one window and its OpenGL 3.3 core context. One at a time.
class Window {
 public:
  /// Why there is none, in one sentence.
  static base::Result<std::unique_ptr<Window>, std::string> create(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  const GlFunctions& gl() const { return gl_; }
  SDL_Window* handle() const { return window_; }
  SDL_GLContext context() const { return context_; }
  /// In pixels, which on dense displays are more than the units that the mouse moves in.
  Size drawable_size() const;
  /// Mouse coordinates times this are pixels.
  float pixels_per_unit() const;
  /// Dots of the display to those of a common one of its size in units: 1 offscreen, and where the
  /// display does not say. In quarters.
  float density() const;
  /// The window's own size, in units.
  Size size() const;
  /// The event with mouse positions in pixels, as everything that projects works in them.
  SDL_Event in_pixels(SDL_Event event) const;
  /// "Mesa llvmpipe (...)", for the terminal.
  std::string renderer_name() const;
  /// A software renderer shares the processor with everything else.
  bool is_software() const;
  bool waits_for_display() const { return waits_for_display_; }
  /// Not minimised nor hidden: else there is nothing to draw for. Always offscreen.
  bool is_seen() const;

  void set_title(const std::string& title);
  void toggle_fullscreen();
  void set_fullscreen(bool is_fullscreen);
  void swap();

 private:
  Window() = default;
  bool open(const WindowOptions& options);

  SDL_Window* window_ = nullptr;
  SDL_GLContext context_ = nullptr;
  GlFunctions gl_;
  bool waits_for_display_ = false, is_offscreen_ = false;
};

/// Panels are made to fit into a window of this size, in units. None is made smaller.
inline constexpr Size least_window{640, 360};

}  // namespace jostle::render
