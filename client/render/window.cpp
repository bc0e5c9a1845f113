#include "client/render/window.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace jostle::render {

namespace {

/// Returns position and size of the window. A column has the width of the usable screen divided by
/// the number of columns, the aspect ratio of `options.size`, and is centred in height.
SDL_Rect place_of(const WindowOptions& options) {
  SDL_Rect place{SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, options.size.width,
                 options.size.height};
  SDL_Rect screen;
  if (options.column.count == 0 || options.is_offscreen ||
      SDL_GetDisplayUsableBounds(0, &screen) != 0)
    return place;
  place.w = std::max(screen.w / options.column.count, least_window.width);
  place.h = std::max(place.w * options.size.height / options.size.width, least_window.height);
  place.x = screen.x + screen.w * (options.column.number - 1) / options.column.count;
  place.y = screen.y + std::max(screen.h - place.h, 0) / 2;
  return place;
}

}  // namespace

base::Result<std::unique_ptr<Window>, std::string> Window::create(const WindowOptions& options) {
  // SDL must not replace the program's own signal handlers, which end the main loop.
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  // Override the video driver that the environment may select.
  if (options.is_offscreen)
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE);
  if (SDL_Init(SDL_INIT_VIDEO) != 0) {
    return std::string(options.is_offscreen ? "cannot render offscreen: " : "no display: ") +
           SDL_GetError();
  }
  // From here on, the destructor of `window` shuts SDL down on every return path.
  std::unique_ptr<Window> window(new Window());
  // Without a display SDL selects a driver that shows nothing.
  const std::string_view driver = SDL_GetCurrentVideoDriver();
  if (!options.is_offscreen && (driver == "offscreen" || driver == "dummy")) {
    return std::string("no display");
  }
  SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);  // failure means that there is no controller
  if (!window->open(options)) {
    return std::string("no OpenGL 3.3 context: ") + SDL_GetError();
  }
  const auto gl = load_gl_functions();
  if (!gl) return "OpenGL lacks the function " + gl.error();
  window->gl_ = *gl;
  window->waits_for_display_ = !options.is_offscreen && SDL_GL_SetSwapInterval(1) == 0;
  return window;
}

bool Window::open(const WindowOptions& options) {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  // The renderer has its own framebuffer, so the window's needs no depth buffer.
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
  Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  if (options.is_fullscreen) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
  const SDL_Rect place = place_of(options);
  window_ = SDL_CreateWindow(options.title.c_str(), place.x, place.y, place.w, place.h, flags);
  if (window_ == nullptr) return false;
  is_offscreen_ = options.is_offscreen;
  // Offscreen framebuffers may be smaller than a window.
  if (!is_offscreen_) SDL_SetWindowMinimumSize(window_, least_window.width, least_window.height);
  context_ = SDL_GL_CreateContext(window_);
  return context_ != nullptr;
}

Window::~Window() {
  if (context_ != nullptr) SDL_GL_DeleteContext(context_);
  if (window_ != nullptr) SDL_DestroyWindow(window_);
  SDL_Quit();
}

Size Window::drawable_size() const {
  Size size;
  SDL_GL_GetDrawableSize(window_, &size.width, &size.height);
  return size;
}

float Window::pixels_per_unit() const {
  const int width = size().width;
  if (width <= 0) return 1;
  return static_cast<float>(drawable_size().width) / static_cast<float>(width);
}

float Window::density() const {
  // DPI values outside this range are not plausible.
  constexpr float common_dpi = 96, least_dpi = 60, most_dpi = 600, most_density = 3;
  float dpi = 0;
  const int display = SDL_GetWindowDisplayIndex(window_);
  if (is_offscreen_ || display < 0 || SDL_GetDisplayDPI(display, &dpi, nullptr, nullptr) != 0)
    return 1;
  if (!(dpi >= least_dpi && dpi <= most_dpi)) return 1;
  const float dense = std::round(4 * dpi / common_dpi / pixels_per_unit()) / 4;
  return std::clamp(dense, 1.0f, most_density);
}

Size Window::size() const {
  Size size;
  SDL_GetWindowSize(window_, &size.width, &size.height);
  return size;
}

SDL_Event Window::in_pixels(SDL_Event event) const {
  const float scale = pixels_per_unit();
  const auto to_pixels = [scale](std::int32_t& value) {
    value = static_cast<std::int32_t>(static_cast<float>(value) * scale);
  };
  if (event.type == SDL_MOUSEMOTION) {
    to_pixels(event.motion.x);
    to_pixels(event.motion.y);
  } else if (event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP) {
    to_pixels(event.button.x);
    to_pixels(event.button.y);
  }
  return event;
}

std::string Window::renderer_name() const {
  const GLubyte* name = gl_.GetString(GL_RENDERER);
  return name == nullptr ? "unknown" : reinterpret_cast<const char*>(name);
}

bool Window::is_software() const {
  const std::string name = renderer_name();
  for (const std::string_view word : {"llvmpipe", "softpipe", "SwiftShader", "Software"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  return false;
}

bool Window::is_seen() const {
  constexpr Uint32 unseen = SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED;
  return is_offscreen_ || (SDL_GetWindowFlags(window_) & unseen) == 0;
}

void Window::set_title(const std::string& title) {
  SDL_SetWindowTitle(window_, title.c_str());
}

void Window::toggle_fullscreen() {
  set_fullscreen((SDL_GetWindowFlags(window_) & SDL_WINDOW_FULLSCREEN_DESKTOP) == 0);
}

void Window::set_fullscreen(bool is_fullscreen) {
  SDL_SetWindowFullscreen(window_, is_fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

void Window::swap() {
  SDL_GL_SwapWindow(window_);
}

}  // namespace jostle::render
