#include "client/app/failure_loop.h"

#include "client/app/render_quality.h"
#include "client/controls/frame_event_queue.h"
#include "client/render/renderer.h"

#include <SDL.h>

namespace jostle::client_app {
namespace {

constexpr std::int64_t failure_interval_us = 1'000'000 / 30;

/// Handles the events since the last frame. Returns the user's choice, or None if there is none
/// yet.
panels::FailureChoice handle_events(controls::FrameEventQueue& events,
                                    panels::FailureScreen& screen, render::Window& window) {
  SDL_Event event;
  events.begin_picture();
  while (events.next(event)) {
    screen.handle(event);
    if (event.type == SDL_QUIT) return panels::FailureChoice::Quit;
    if (event.type != SDL_KEYDOWN) continue;
    if (event.key.keysym.sym == SDLK_F11) window.toggle_fullscreen();
    const panels::FailureChoice choice = panels::failure_choice_of(event.key.keysym.sym);
    if (choice != panels::FailureChoice::None) return choice;
  }
  return panels::FailureChoice::None;
}

}  // namespace

base::Result<panels::FailureChoice, std::string> run_failure_screen(
    net::Io& io, const settings::Settings& settings, render::Window& window,
    const panels::FailureText& text, const StopQuestion& should_stop) {
  auto renderer = render::Renderer::create(window.gl(), render_options(settings, window));
  if (!renderer) return "cannot draw: " + renderer.error();
  const auto screen = panels::FailureScreen::create(window);
  if (screen == nullptr) return std::string("cannot draw: Dear ImGui cannot load OpenGL");
  controls::FrameEventQueue events;
  while (!should_stop()) {
    const std::int64_t due_us = io.now_us() + failure_interval_us;
    panels::FailureChoice choice = handle_events(events, *screen, window);
    if (choice == panels::FailureChoice::None && window.is_seen()) {
      renderer->resize(window.drawable_size());
      renderer->draw(render::Picture{}, [] {});
      choice = screen->draw(text);
      renderer->present(window.drawable_size());
      window.swap();
    }
    if (choice != panels::FailureChoice::None) return choice;
    while (io.now_us() < due_us)
      SDL_Delay(1);
  }
  return panels::FailureChoice::Quit;
}

}  // namespace jostle::client_app
