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
  // Sets position and size of the window; `size` then gives only the aspect ratio. A column is
  // ignored offscreen.
  ScreenColumn column{};
  bool is_fullscreen = false;
  bool is_offscreen = false;  // rendered without a display, through EGL
};

/// SDL, one window and its OpenGL 3.3 core context. Only one may exist at a time.
class Window {
 public:
  /// Creates a window. The error is one sentence.
  static base::Result<std::unique_ptr<Window>, std::string> create(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  const GlFunctions& gl() const { return gl_; }
  SDL_Window* handle() const { return window_; }
  SDL_GLContext context() const { return context_; }
  /// Returns the size of the framebuffer in pixels. On high-DPI displays there are more pixels than
  /// mouse units.
  Size drawable_size() const;
  /// Returns the factor from mouse coordinates to pixels.
  float pixels_per_unit() const;
  /// Returns the scale that text and panels need on this display: its DPI relative to 96, divided
  /// by pixels_per_unit(), rounded to quarters, 1 to 3. Returns 1 offscreen or if the display
  /// reports no plausible DPI.
  float density() const;
  /// Returns the window's size in mouse units.
  Size size() const;
  /// Returns `event` with its mouse position converted to pixels, as ray_through() expects it.
  SDL_Event in_pixels(SDL_Event event) const;
  /// Returns the name of OpenGL's renderer, such as "Mesa llvmpipe (...)".
  std::string renderer_name() const;
  /// Returns true for a software renderer, which runs on the same processor as the rest of the
  /// program.
  bool is_software() const;
  bool waits_for_display() const { return waits_for_display_; }
  /// Returns true if the window is visible, that is neither minimised nor hidden. Always true
  /// offscreen.
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

/// Minimum window size in mouse units. Panels are designed to fit into it.
inline constexpr Size least_window{640, 360};

}  // namespace jostle::render
