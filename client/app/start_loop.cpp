#include "client/app/start_loop.h"

#include "client/app/render_quality.h"
#include "client/app/server_search.h"
#include "client/app/written_files.h"
#include "client/controls/frame_event_queue.h"
#include "client/render/renderer.h"
#include "client/render/screenshot.h"
#include "shared/base/program_names.h"

#include <SDL.h>

#include <memory>
#include <utility>
#include <vector>

namespace jostle::client_app {
namespace {

constexpr std::int64_t picture_interval_us = 33'000, offscreen_us = 1'200'000;

/// Main loop of the start screen.
class StartLoop {
 public:
  StartLoop(net::Io& io, const Options& options, render::Window& window,
            const RecentServers& recent, const StartOccasion& occasion,
            std::unique_ptr<lan::DiscoveryClient> search,
            std::unique_ptr<panels::StartScreen> screen, render::Renderer renderer)
      : io_(io),
        options_(options),
        window_(window),
        recent_(recent),
        search_(std::move(search)),
        screen_(std::move(screen)),
        renderer_(std::move(renderer)),
        model_{.list = list_,
               .note = occasion.note,
               .has_token = !options.access.token.empty() || !options.access.token_there.empty(),
               .has_psk = !options.access.psk_path.empty(),
               .names = base::program_names(),
               .is_asking = search_ != nullptr} {
    screen_->set_server(occasion.server);
    if (occasion.is_token_wanted) screen_->ask_for_token();
  }

  std::optional<panels::JoinRequest> run(const StopQuestion& should_stop) {
    const std::int64_t begin_us = io_.now_us();
    while (!should_stop() && !is_quit_ && !screen_->wants_to_quit()) {
      const std::int64_t start_us = io_.now_us();
      step();
      if (window_.is_seen()) {
        draw();
        window_.swap();
      }
      if (auto wish = screen_->take_wish()) return wish;
      if (options_.is_offscreen && start_us - begin_us > offscreen_us) return std::nullopt;
      while (io_.now_us() < start_us + picture_interval_us) {
        look_around();
        SDL_Delay(1);
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> save_picture(const std::string& path) {
    auto words = render::save_png(io_, path, renderer_.read_pixels(), renderer_.size());
    if (!words) report_written(path, "the servers, " + render::describe(renderer_.size()));
    return words;
  }

 private:
  void look_around() {
    if (search_) search_->update();
  }

  void step() {
    SDL_Event event;
    events_.begin_picture();
    while (events_.next(event)) {
      screen_->handle(event);
      if (event.type == SDL_QUIT) is_quit_ = true;
      if (event.type == SDL_KEYDOWN) take_key(event.key.keysym.sym);
    }
    look_around();
    std::vector<panels::ServerLine> found;
    if (search_) {
      for (const lan::DiscoveredServer& server : search_->servers())
        found.push_back(line_of(server));
    }
    list_.update(std::move(found), recent_.servers());
    if (const auto line = screen_->take_clicked()) list_.select(*line);
    renderer_.resize(window_.drawable_size());
  }

  void take_key(SDL_Keycode key) {
    switch (key) {
      case SDLK_UP:
        list_.move(-1);
        break;
      case SDLK_DOWN:
        list_.move(1);
        break;
      case SDLK_RETURN:
      case SDLK_KP_ENTER:
        // In a text field, the key belongs to the field.
        if (!screen_->is_typing()) screen_->join_selected(model_);
        break;
      case SDLK_ESCAPE:
        is_quit_ = true;
        break;
      case SDLK_F11:
        window_.toggle_fullscreen();
        break;
      default:
        break;
    }
  }

  void draw() {
    const auto meanwhile = [this] { look_around(); };
    renderer_.draw(render::Picture{}, meanwhile);
    screen_->draw(model_);
    renderer_.present(window_.drawable_size());
    renderer_.finish(meanwhile);
  }

  net::Io& io_;
  const Options& options_;
  render::Window& window_;
  const RecentServers& recent_;
  std::unique_ptr<lan::DiscoveryClient> search_;  // null if the local network is not searched
  std::unique_ptr<panels::StartScreen> screen_;
  render::Renderer renderer_;
  controls::FrameEventQueue events_;
  panels::ServerList list_;
  panels::StartModel model_;
  bool is_quit_ = false;
};

}  // namespace

base::Result<std::optional<panels::JoinRequest>, std::string> run_start_screen(
    net::Io& io, const Options& options, const settings::Settings& settings, render::Window& window,
    const RecentServers& recent, const StartOccasion& occasion, const StopQuestion& should_stop) {
  auto renderer = render::Renderer::create(window.gl(), render_options(settings, window));
  if (!renderer) return "cannot draw: " + renderer.error();
  auto screen = panels::StartScreen::create(window);
  if (screen == nullptr) return std::string("cannot draw: Dear ImGui cannot load OpenGL");
  auto search = search_local_network(io);
  window.set_title("jostle");
  StartLoop loop(io, options, window, recent, occasion,
                 search ? *std::move(search) : std::unique_ptr<lan::DiscoveryClient>(),
                 std::move(screen), *std::move(renderer));
  auto wish = loop.run(should_stop);
  if (!wish && !options.screenshot_path.empty()) {
    if (auto fault = loop.save_picture(options.screenshot_path)) return *std::move(fault);
  }
  return wish;
}

}  // namespace jostle::client_app
