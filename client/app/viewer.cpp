#include "client/app/viewer.h"

#include "client/app/console_runner.h"
#include "client/app/frame_pacing.h"
#include "client/app/render_quality.h"
#include "client/app/view_interest.h"
#include "client/app/window_commands.h"
#include "client/app/written_files.h"
#include "client/controls/frame_event_queue.h"
#include "client/controls/input_sampler.h"
#include "client/controls/player_controller.h"
#include "client/panels/hud.h"
#include "client/render/picking.h"
#include "client/render/renderer.h"
#include "client/render/rope_marks.h"
#include "client/render/screenshot.h"
#include "client/render/shown_bodies.h"
#include "client/render/thumbnails.h"
#include "shared/base/program_names.h"
#include "shared/net/net_sim.h"
#include "shared/scene_files/scene_files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace jostle::client_app {

namespace {

constexpr int offscreen_frames_per_second = 30;

/// Main loop of the window that shows a server's world.
class Viewer {
 public:
  Viewer(net::Io& io, const Options& options, ViewerSession& session, render::Window& window,
         RuntimeSettings& live, render::Renderer renderer)
      : io_(io),
        options_(options),
        session_(session),
        window_(window),
        live_(live),
        renderer_(std::move(renderer)),
        pilot_(options.script, options.camera),
        thumbnails_(io, window.gl(), scene::scene_picture_path),
        choice_{options.look, options.debug_draw} {
    if (options.is_hud_shown) hud_ = panels::Hud::create(window);
    if (hud_) hud_->open(options.panels);
    if (hud_ && has(options.panels, panels::Panel::Scenes)) chooser_.show_panel();
    sampler_.set(live.now().controls);
    if (!options.net_sim.empty())
      bad_network_ = net::describe(net::parse_net_sim(options.net_sim).value());
  }

  ViewerEnd run(const StopQuestion& should_stop) {
    std::int64_t last_us = io_.now_us();
    while (!should_stop() && !is_quit_ && wish_ == panels::FailureChoice::None &&
           (!session_.has_failed() || may_ask()) && !is_time_up(options_, session_) &&
           (options_.frames == 0 || frames_ < options_.frames)) {
      const std::int64_t start_us = io_.now_us();
      const auto seconds = static_cast<float>(start_us - last_us) * 1e-6f;
      last_us = start_us;
      step(std::min(seconds, max_camera_step_s));
      is_drawn_ = window_.is_seen() || !options_.frames_folder.empty();
      if (is_drawn_) {
        if (const auto words = show(start_us)) return {words};
        note_rate(seconds);
      }
      wait_for_next(start_us, should_stop);
    }
    if (const auto words = live_.finish())
      std::fprintf(stderr, "jostle-view: warning: %s\n", words->c_str());
    note_failure();
    if (!options_.frames_folder.empty()) report_frames(options_.frames_folder, frames_);
    ViewerEnd end{.text = save_last_picture(), .wish = wish_};
    if (!session_.has_failed()) return end;
    if (end.text) std::fprintf(stderr, "jostle-view: %s\n", end.text->c_str());
    end.text = session_.text();
    return end;
  }

  // Functions of the window commands (make_window_parts()).

  /// Selects the body under the cursor.
  void inspect() {
    if (!hud_) return;
    const render::Ray ray = render::ray_through(pilot_.rig().view(), renderer_.size(), cursor_);
    if (const auto found = pick(ray, session_.client().shown_bodies(), {}))
      hud_->select(found->body->info->id);
  }
  void say(const std::string& words) {
    if (!hud_) return;
    hud_->say(words, static_cast<double>(io_.now_us()) * 1e-6);
    // The message may be the answer to a console command.
    hud_->console().print(words);
  }
  void take_screenshot() {
    const std::string path = new_picture_path(session_.client().metrics().newest_tick);
    const auto words = save_picture(path);
    say(words ? *words : "wrote " + path);
  }

 private:
  /// Returns true if a user can read the failure screen and choose what to do.
  bool may_ask() const { return hud_ != nullptr && has_interactive_user(options_); }

  /// Saves the picture of --screenshot, if it is given. Returns an error message, or null.
  std::optional<std::string> save_last_picture() {
    const std::string& path = options_.screenshot_path;
    if (path.empty()) return std::nullopt;
    // Draw once before the screenshot: a panel determines its size in its first frame and is
    // visible in the second.
    if (failure_) draw(io_.now_us());
    if (auto words = save_picture(path)) return words;
    report_written(path,
                   (failure_ && hud_ ? "the error, " : "") + render::describe(renderer_.size()));
    return std::nullopt;
  }

  void note_failure() {
    const bool has_failed = session_.has_failed();
    if (!has_failed) failure_.reset();
    if (!has_failed || failure_) return;
    // If the user did not name a server, also offer the servers found on the local network.
    if (may_ask() && !options_.is_server_named &&
        session_.client().status().failure == client::Failure::NoAnswer) {
      wish_ = panels::FailureChoice::OtherServer;
      return;
    }
    failure_ =
        panels::explain(session_.client().status().failure, session_.text(),
                        options_.host + ":" + std::to_string(options_.port), base::program_names());
  }

  void execute(panels::FailureChoice wish) {
    const bool is_begun_anew = wish == panels::FailureChoice::TryAgain && session_.try_again();
    if (!is_begun_anew) wish_ = wish;
  }

  /// Handles the keys of the failure screen while it is shown. Returns true if the event was such a
  /// key.
  bool is_for_failure(const SDL_Event& event) {
    if (!failure_ || event.type != SDL_KEYDOWN) return false;
    const panels::FailureChoice choice = panels::failure_choice_of(event.key.keysym.sym);
    if (choice == panels::FailureChoice::None) return false;
    execute(choice);
    return true;
  }

  /// Saves the frame if --video-frames is given. Returns an error message, or null.
  std::optional<std::string> keep_frame() {
    if (options_.frames_folder.empty()) return std::nullopt;
    return render::save_png(io_, render::frame_path(options_.frames_folder, frames_),
                            renderer_.read_pixels(), renderer_.size());
  }

  /// Draws and shows a frame, and saves it if --video-frames is given. Returns an error message, or
  /// null.
  std::optional<std::string> show(std::int64_t now_us) {
    draw(now_us);
    window_.swap();
    // Count and save only frames of a world that was being played when the frame began. If the
    // world arrived during drawing, the camera is not set for it yet.
    if (!is_flown_) return std::nullopt;
    ++frames_;
    return keep_frame();
  }

  void step(float seconds) {
    SDL_Event event;
    // Keys are deferred while a text field is about to open, because it must be drawn before it can
    // receive them.
    events_.begin_picture(!is_drawn_ || !hud_ || !hud_->console().is_field_coming());
    while (events_.next(event)) {
      const bool is_key = event.type == SDL_KEYDOWN || event.type == SDL_TEXTINPUT;
      if (hud_ && !(is_key && live_.panel().is_waiting())) hud_->handle(event);
      if (const auto words = live_.gamepads().handle(event); !words.empty()) say(words);
      if (is_for_panel(event)) continue;
      sampler_.handle(window_.in_pixels(event));
    }
    session_.update();
    note_failure();
    if (hud_) {
      if (const auto wish = hud_->take_failure_choice(); wish != panels::FailureChoice::None)
        execute(wish);
    }
    sampler_.set_picture(renderer_.size(), window_.pixels_per_unit());
    const controls::UserInput user = sampler_.sample();
    cursor_ = user.cursor;
    for (const controls::Command command : user.commands)
      execute(command);
    run_console();
    choose_scene();
    renderer_.resize(window_.drawable_size());
    aim_ = user.is_by_gamepad ? std::optional(user.cursor) : std::nullopt;
    is_flown_ = session_.client().status().state == client::ClientState::Playing;
    if (hud_) pilot_.set_followed(hud_->bodies().selected());
    pilot_.fly(user, session_.client(), renderer_.size(), session_.seconds_playing(), seconds);
    client::Client& client = session_.client();
    client.set_interest(interest_in(pilot_.rig().view(), renderer_.size(), options_));
    // Debug data is requested only while it is visible.
    client.inspect({is_drawn_ ? choice_.layers : state::DebugDrawLayers{},
                    is_drawn_ && hud_ && hud_->wants_statistics(),
                    is_drawn_ && hud_ ? hud_->bodies().selected() : state::BodyId{}});
    client.set_newest_wanted(is_ghost_shown_);
  }

  // Handles the keys that close the console, so that they are not typed into it. Returns true if
  // the event was such a key.
  bool is_for_console(const SDL_Event& event) {
    if (event.type != SDL_KEYDOWN || !hud_ || !hud_->console().is_shown()) return false;
    const auto action =
        live_.now().controls.keys.find(event.key.keysym, controls::ActionGroup::World);
    if (action != controls::UserAction::Console && event.key.keysym.sym != SDLK_ESCAPE)
      return false;
    hud_->console().close();
    return true;
  }

  bool is_for_panel(const SDL_Event& event) {
    if (live_.panel().is_waiting() && live_.panel().takes(event)) return true;
    if (is_for_console(event)) return true;
    const auto is_for_scenes = [&] { return hud_ && hud_->scene_panel().takes(event, chooser_); };
    if (hud_ && hud_->scene_panel().is_typing() && is_for_scenes()) return true;
    if (hud_ && (hud_->takes(event) || live_.panel().takes(event))) return true;
    return is_for_failure(event) || is_for_scenes() || closes_panel(event);
  }

  /// If the event is Escape and a panel is open, closes the panel and returns true. Otherwise
  /// returns false; Escape then quits the program.
  bool closes_panel(const SDL_Event& event) {
    return hud_ && event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE &&
           hud_->close_one();
  }

  /// Applies changes made in the settings panel.
  void follow_settings() {
    const auto before = live_.take_change();
    const settings::Settings& now = live_.now();
    if (before) {
      if (const auto words = apply_change(*before, now, window_, renderer_, sampler_)) say(*words);
      if (before->look != now.look) choice_.look = now.look;
      const panels::PanelSet changed = panels_of(*before) ^ panels_of(now);
      if (hud_ && changed != 0) hud_->open((hud_->shown() & ~changed) | (panels_of(now) & changed));
    }
    if (const auto words = live_.keep()) say(*words);
  }

  void choose_scene() {
    client::Client& client = session_.client();
    if (hud_) {
      if (const auto line = hud_->take_clicked_scene()) chooser_.choose(*line);
    }
    if (const auto notice = session_.take_notice()) say(*notice);
    // Scenes can be requested only while playing.
    if (client.status().state != client::ClientState::Playing) return;
    const std::string& current = client.world().scene_name;
    const panels::SceneChooser::Wishes wishes = chooser_.update(client.scenes(), current);
    if (wishes.is_list) client.ask_for_scenes();
    if (wishes.scene) client.load_scene(*wishes.scene);
    if (current == scene_) return;
    for (const protocol::SceneInfo& scene : client.scenes())
      if (scene.name == current && !scene_.empty()) say(scene.description);
    scene_ = current;
  }

  void toggle_console() {
    if (!hud_) return;
    hud_->console().toggle();
    // Requests the scene names for completion.
    if (session_.client().scenes().empty()) session_.client().ask_for_scenes();
  }

  void run_console() {
    if (!hud_) return;
    const auto line = hud_->console().take_line();
    if (!line) return;
    const auto follow = [this](state::BodyId body) {
      hud_->bodies().choose(body);
      pilot_.follow(body);
    };
    run_console_line(*line, hud_->console(),
                     {session_.client(), choice_, is_ghost_shown_, is_quit_, follow,
                      [this](const std::string& path) { return save_picture(path); }});
  }

  void execute(controls::Command command) {
    if (execute_window_command(command, parts_)) return;
    switch (command) {
      case controls::Command::ToggleStatistics:
        if (hud_) hud_->toggle(panels::Panel::Statistics);
        break;
      case controls::Command::ToggleConsole:
        toggle_console();
        break;
      case controls::Command::ToggleGhost:
        is_ghost_shown_ = !is_ghost_shown_;
        say(is_ghost_shown_ ? "ghosts: bodies of the newest snapshot" : "ghosts: off");
        break;
      case controls::Command::PreviousScene:
        chooser_.step(-1);
        break;
      case controls::Command::NextScene:
        chooser_.step(1);
        break;
      case controls::Command::ToggleScenes:
        if (hud_) chooser_.toggle_panel();
        break;
      case controls::Command::ToggleNetGraph:
        if (hud_) hud_->toggle(panels::Panel::NetGraph);
        break;
      default:
        break;  // other commands are handled by PlayerController
    }
  }

  render::Picture picture() {
    const client::Client& client = session_.client();
    render::Picture picture;
    picture.view = pilot_.rig().view();
    picture.focus = pilot_.rig().target();
    picture.bodies = client.shown_bodies();
    picture.particles = client.shown_particles();
    picture.hovered = pilot_.planner().hovered();
    marks_.clear();
    render::add_rope_marks(client.ropes(), client.shown_bodies(), marks_);
    if (const auto& grab = pilot_.planner().grab()) {
      picture.grabbed = grab->body;
      if (const auto* body = render::find_body(client.shown_bodies(), grab->body)) {
        render::Mark& mark = marks_.emplace_back();
        mark.from = math::transform_point(body->pose, grab->point_local);
        mark.to = grab->target;
      }
    }
    picture.marks = marks_;
    picture.look = choice_.look;
    picture.is_sleep_shown = choice_.is_sleep_shown;
    picture.own = client.status().player;
    picture.debug_draw = client.debug_draw();
    ghosts_ = render::ghosts_of(client.newest_bodies(), client.shown_bodies());
    picture.ghosts = ghosts_;
    if (hud_) picture.selected = hud_->bodies().selected();
    return picture;
  }

  void draw(std::int64_t now_us) {
    const auto meanwhile = [this] {
      session_.update();
      std::this_thread::sleep_for(idle_sleep);
    };
    renderer_.draw(picture(), meanwhile);
    draw_hud(now_us);
    renderer_.present(window_.drawable_size());
    renderer_.finish(meanwhile);
    if (hud_) follow_settings();
  }

  void draw_hud(std::int64_t now_us) {
    if (!hud_) return;
    hud_->set_scale(live_.now().interface_scale);
    const client::Client& client = session_.client();
    const auto statistics = client.statistics();
    const auto report = client.body_report();
    const protocol::SceneStatus& status = client.scene_status();
    std::optional<panels::SceneError> scene_error;
    if (const auto& news = session_.preview_news(); news.error)
      scene_error = panels::SceneError{
          .text = *news.error, .is_missing = news.is_missing, .has_world = news.has_world};
    state::Labels labels = client.values();
    const std::vector<state::Label>& of_scene = client.labels().lines;
    labels.lines.insert(labels.lines.end(), of_scene.begin(), of_scene.end());
    hud_->draw(
        {.status = client.status(),
         .metrics = client.metrics(),
         .world = client.world(),
         .bodies = client.shown_bodies(),
         .labels = labels,
         .particles = client.shown_particles().size(),
         .bad_network = bad_network_,
         .view = pilot_.rig().view(),
         .camera_mode = pilot_.rig().mode(),
         .is_paused = status.is_paused,
         .is_gravity_off = status.is_gravity_off,
         .rate_percent = status.rate_percent,
         .frames_per_second = 1 / std::max(mean_frame_s_, 1e-4),
         .seconds = static_cast<double>(now_us) * 1e-6,
         .shown_seconds = client.shown_seconds(),
         .chooser = &chooser_,
         .scenes = client.scenes(),
         .picture_of_scene = [this](const std::string& scene) { return thumbnails_.find(scene); },
         .choice = &choice_,
         .debug_draw = client.debug_draw(),
         .statistics = statistics ? &*statistics : nullptr,
         .report = report ? &*report : nullptr,
         .scene_error = scene_error ? &*scene_error : nullptr,
         .failure = failure_ ? &*failure_ : nullptr,
         .seconds_silent = client.seconds_silent(),
         .aim = aim_,
         .settings = live_.view(window_)});
  }

  void note_rate(float seconds) {
    constexpr double weight = 0.05;
    mean_frame_s_ += weight * (static_cast<double>(seconds) - mean_frame_s_);
  }

  // Updates the client until the next frame is due. Offscreen, waits at least as long as the frame
  // took: the server and other clients may share the processor with a software renderer.
  void wait_for_next(std::int64_t start_us, const StopQuestion& should_stop) {
    int limit = live_.now().max_frames_per_second;
    if (limit == 0 && options_.is_offscreen) limit = offscreen_frames_per_second;
    const bool is_paced = is_drawn_ && window_.waits_for_display();
    if (limit == 0 && !is_paced) limit = unpaced_frames_per_second;
    if (limit == 0) return;
    std::int64_t due_us = start_us + 1'000'000 / limit;
    const std::int64_t now_us = io_.now_us();
    if (options_.is_offscreen) due_us = std::max(due_us, now_us + (now_us - start_us));
    while (io_.now_us() < due_us && !should_stop()) {
      session_.update();
      std::this_thread::sleep_for(idle_sleep);
    }
  }

  std::optional<std::string> save_picture(const std::string& path) {
    return save_best_picture(
        io_, window_, renderer_.size(), picture(), [this] { draw_hud(io_.now_us()); }, path);
  }

  net::Io& io_;
  const Options& options_;
  ViewerSession& session_;
  render::Window& window_;
  RuntimeSettings& live_;
  render::Renderer renderer_;
  controls::PlayerController pilot_;
  controls::FrameEventQueue events_;
  controls::InputSampler sampler_;
  std::unique_ptr<panels::Hud> hud_;
  std::string bad_network_;
  panels::SceneChooser chooser_;
  render::Thumbnails thumbnails_;
  std::string scene_;  // name of the scene that is shown
  std::vector<render::Mark> marks_;
  std::vector<client::ShownBody> ghosts_;
  panels::DrawChoice choice_;
  bool is_ghost_shown_ = false;
  render::ScreenPoint cursor_;
  // aim point of a gamepad in the picture; null: no gamepad is used
  std::optional<render::ScreenPoint> aim_;
  bool is_quit_ = false;
  std::optional<panels::FailureText> failure_;  // the failure screen while it is shown
  panels::FailureChoice wish_ = panels::FailureChoice::None;
  std::uint64_t frames_ = 0;
  bool is_drawn_ = true;   // false: the window is minimised or hidden
  bool is_flown_ = false;  // true if the frame shows a world that is being played
  double mean_frame_s_ = 0.02;
  WindowParts parts_ = make_window_parts(window_, live_, choice_, is_quit_, hud_, *this);
};

}  // namespace

ViewerEnd run_viewer(net::Io& io, const Options& options, ViewerSession& session,
                     render::Window& window, RuntimeSettings& live,
                     const StopQuestion& should_stop) {
  auto renderer = render::Renderer::create(window.gl(), render_options(live.now(), window));
  if (!renderer) return {.text = "cannot draw: " + renderer.error()};
  return Viewer(io, options, session, window, live, *std::move(renderer)).run(should_stop);
}

}  // namespace jostle::client_app
