#include "client/app/viewer.h"

#include "client/app/render_quality.h"
#include "client/app/view_interest.h"
#include "client/controls/event_feed.h"
#include "client/controls/input_sampler.h"
#include "client/controls/pilot.h"
#include "client/panels/hud.h"
#include "client/render/cord_marks.h"
#include "client/render/picking.h"
#include "client/render/renderer.h"
#include "client/render/screenshot.h"
#include "client/render/shown_bodies.h"
#include "shared/base/printable.h"
#include "shared/net/net_sim.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <span>
#include <thread>
#include <utility>

namespace jostle::client_app {

namespace {

constexpr int offscreen_frames_per_second = 30, unpaced_frames_per_second = 60;
constexpr std::chrono::microseconds nap(1'000);
constexpr float longest_step_s = 0.1f;  // of the camera, after a stall

bool is_time_up(const Options& options, const Session& session) {
  return options.duration_s > 0 && session.seconds_playing() >= options.duration_s;
}

/// The loop of one window.
class Viewer {
 public:
  Viewer(net::Io& io, const Options& options, Session& session, render::Window& window,
         LiveSettings& live, render::Renderer renderer)
      : io_(io),
        options_(options),
        session_(session),
        window_(window),
        live_(live),
        renderer_(std::move(renderer)),
        pilot_(options.script, options.camera),
        look_(options.look) {
    if (options.is_hud_shown) hud_ = panels::Hud::create(window);
    if (hud_) show_panels(live.now());
    sampler_.set(live.now().controls);
    if (!options.net_sim.empty())
      bad_network_ = net::describe(net::parse_net_sim(options.net_sim).value());
  }

  std::optional<std::string> run(const StopQuestion& should_stop) {
    std::int64_t last_us = io_.now_us();
    while (!should_stop() && !is_quit_ && !session_.has_failed() &&
           !is_time_up(options_, session_) && (options_.frames == 0 || frames_ < options_.frames)) {
      const std::int64_t start_us = io_.now_us();
      const auto seconds = static_cast<float>(start_us - last_us) * 1e-6f;
      last_us = start_us;
      step(std::min(seconds, longest_step_s));
      draw(start_us);
      window_.swap();
      if (session_.client().status().state == client::ClientState::Playing) {
        ++frames_;
        if (const auto words = keep_frame()) return words;
      }
      note_rate(seconds);
      wait_for_next(start_us, should_stop);
    }
    if (session_.has_failed()) return session_.words();
    if (!options_.screenshot_path.empty()) return save_picture(options_.screenshot_path);
    return std::nullopt;
  }

 private:
  /// What went wrong, or nothing.
  std::optional<std::string> keep_frame() {
    if (options_.frames_folder.empty()) return std::nullopt;
    return render::save_png(io_, render::frame_path(options_.frames_folder, frames_),
                            renderer_.read_pixels(), renderer_.size());
  }

  void step(float seconds) {
    SDL_Event event;
    events_.begin_picture();
    while (events_.next(event)) {
      if (hud_) hud_->handle(event);
      if (const auto words = live_.gamepads().handle(event); !words.empty()) say(words);
      if (is_for_panel(event)) continue;
      sampler_.handle(window_.in_pixels(event));
    }
    session_.update();
    sampler_.set_picture(renderer_.size(), window_.pixels_per_unit());
    const controls::UserInput user = sampler_.sample();
    for (const controls::Command command : user.commands)
      obey(command);
    choose_scene();
    renderer_.resize(window_.drawable_size());
    cursor_ = user.cursor;
    aim_ = user.is_by_gamepad ? std::optional(user.cursor) : std::nullopt;
    if (hud_) pilot_.set_followed(hud_->bodies().selected());
    pilot_.fly(user, session_.client(), renderer_.size(), session_.seconds_playing(), seconds);
    session_.client().set_interest(interest_in(pilot_.rig().view(), renderer_.size(), options_));
  }

  // While the list of scenes is shown, the arrows move in it.
  bool is_for_panel(const SDL_Event& event) {
    if (hud_ && (hud_->takes(event) || live_.panel().takes(event))) return true;
    if (event.type != SDL_KEYDOWN || !chooser_.is_panel_shown()) return false;
    switch (event.key.keysym.sym) {
      case SDLK_UP:
        chooser_.move(-1);
        return true;
      case SDLK_DOWN:
        chooser_.move(1);
        return true;
      case SDLK_RETURN:
      case SDLK_KP_ENTER:
        chooser_.choose_selected();
        return true;
      case SDLK_ESCAPE:
        chooser_.toggle_panel();
        return true;
      default:
        return false;
    }
  }

  void show_panels(const settings::Settings& settings) {
    hud_->show_panels(settings.are_panels_shown);
    hud_->show_net_graph(settings.is_net_graph_shown);
    hud_->show_help(settings.is_help_shown);
    hud_->bodies().show(settings.is_body_browser_shown);
  }

  /// What the panel of settings has changed.
  void follow_settings() {
    const auto before = live_.take_change();
    const settings::Settings& now = live_.now();
    if (before) {
      if (const auto words = apply_change(*before, now, window_, renderer_, sampler_)) say(*words);
      if (before->look != now.look) look_ = now.look;
      if (before->are_panels_shown != now.are_panels_shown) hud_->show_panels(now.are_panels_shown);
      if (before->is_net_graph_shown != now.is_net_graph_shown)
        hud_->show_net_graph(now.is_net_graph_shown);
      if (before->is_body_browser_shown != now.is_body_browser_shown)
        hud_->bodies().show(now.is_body_browser_shown);
    }
    if (const auto words = live_.keep()) say(*words);
  }

  void choose_scene() {
    client::Client& client = session_.client();
    if (hud_) {
      if (const auto line = hud_->take_clicked_scene()) chooser_.choose(*line);
    }
    if (const auto notice = session_.take_notice()) say(*notice);
    // Nobody else could be asked.
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

  void say(const std::string& words) {
    if (hud_) hud_->say(words, static_cast<double>(io_.now_us()) * 1e-6);
  }

  /// Selects what is under the mouse.
  void inspect() {
    if (!hud_) return;
    const render::Ray ray = render::ray_through(pilot_.rig().view(), renderer_.size(), cursor_);
    if (const auto found = pick(ray, session_.client().shown_bodies(), {}))
      hud_->bodies().select(found->body->info->id);
  }

  void obey(controls::Command command) {
    switch (command) {
      case controls::Command::Quit:
        is_quit_ = true;
        break;
      case controls::Command::ToggleFullscreen:
        window_.toggle_fullscreen();
        break;
      case controls::Command::Screenshot:
        take_screenshot();
        break;
      case controls::Command::ToggleBodies:
        if (hud_) hud_->bodies().toggle();
        break;
      case controls::Command::Inspect:
        inspect();
        break;
      case controls::Command::NextLook:
        look_ = after(look_);
        say(std::string("bodies: ") + render::name_of(look_));
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
      case controls::Command::ToggleHelp:
        if (hud_) hud_->toggle_help();
        break;
      case controls::Command::ToggleSettings:
        live_.panel().toggle();
        break;
      case controls::Command::ToggleNetGraph:
        if (hud_) hud_->toggle_net_graph();
        break;
      case controls::Command::ToggleHud:
        if (hud_) hud_->toggle_panels();
        break;
      default:
        break;  // the others are the pilot's
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
    render::add_cord_marks(client.cords(), client.shown_bodies(), marks_);
    if (const auto& grab = pilot_.planner().grab()) {
      picture.grabbed = grab->body;
      if (const auto* body = render::find_body(client.shown_bodies(), grab->body)) {
        render::Mark& mark = marks_.emplace_back();
        mark.from = math::transform_point(body->pose, grab->point_local);
        mark.to = grab->target;
      }
    }
    picture.marks = marks_;
    picture.look = look_;
    if (hud_) picture.selected = hud_->bodies().selected();
    return picture;
  }

  void draw(std::int64_t now_us) {
    const auto meanwhile = [this] {
      session_.update();
      std::this_thread::sleep_for(nap);
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
    hud_->draw({client.status(), client.metrics(), client.world(), client.shown_bodies(),
                client.readouts(), client.shown_particles().size(), bad_network_,
                pilot_.rig().view(), pilot_.rig().mode(), pilot_.is_paused(),
                pilot_.is_gravity_off(), 1 / std::max(mean_frame_s_, 1e-4),
                static_cast<double>(now_us) * 1e-6, client.shown_seconds(), &chooser_,
                client.scenes(), aim_, live_.view(window_)});
  }

  void note_rate(float seconds) {
    constexpr double weight = 0.05;
    mean_frame_s_ += weight * (static_cast<double>(seconds) - mean_frame_s_);
  }

  // The client goes on while the next picture is not due. Offscreen, a software renderer takes at
  // most half of the time: server and other clients run on the same processor.
  void wait_for_next(std::int64_t start_us, const StopQuestion& should_stop) {
    int limit = live_.now().max_frames_per_second;
    if (limit == 0 && options_.is_offscreen) limit = offscreen_frames_per_second;
    if (limit == 0 && !window_.waits_for_display()) limit = unpaced_frames_per_second;
    if (limit == 0) return;
    std::int64_t due_us = start_us + 1'000'000 / limit;
    const std::int64_t now_us = io_.now_us();
    if (options_.is_offscreen) due_us = std::max(due_us, now_us + (now_us - start_us));
    while (io_.now_us() < due_us && !should_stop()) {
      session_.update();
      std::this_thread::sleep_for(nap);
    }
  }

  void take_screenshot() {
    const std::string path =
        "jostle-" + std::to_string(session_.client().metrics().newest_tick.number) + ".png";
    const auto words = save_picture(path);
    say(words ? *words : "wrote " + path);
  }

  std::optional<std::string> save_picture(const std::string& path) {
    return save_best_picture(
        io_, window_, renderer_.size(), picture(), [this] { draw_hud(io_.now_us()); }, path);
  }

  net::Io& io_;
  const Options& options_;
  Session& session_;
  render::Window& window_;
  LiveSettings& live_;
  render::Renderer renderer_;
  controls::Pilot pilot_;
  controls::EventFeed events_;
  controls::InputSampler sampler_;
  std::unique_ptr<panels::Hud> hud_;
  std::string bad_network_;
  panels::SceneChooser chooser_;
  std::string scene_;  // that is shown
  std::vector<render::Mark> marks_;
  render::BodyLook look_;
  render::ScreenPoint cursor_;
  std::optional<render::ScreenPoint> aim_;  // of a gamepad
  bool is_quit_ = false;
  std::uint64_t frames_ = 0;
  double mean_frame_s_ = 0.02;
};

}  // namespace

std::optional<std::string> run_viewer(net::Io& io, const Options& options, Session& session,
                                      render::Window& window, LiveSettings& live,
                                      const StopQuestion& should_stop) {
  auto renderer = render::Renderer::create(window.gl(), render_options(live.now(), window));
  if (!renderer) return "cannot draw: " + renderer.error();
  return Viewer(io, options, session, window, live, *std::move(renderer)).run(should_stop);
}

std::optional<std::string> run_headless(net::Io& io, const Options& options, Session& session,
                                        const StopQuestion& should_stop) {
  constexpr std::int64_t step_us = 1'000'000 / state::default_tick_rate_hz;
  controls::Pilot pilot(options.script);
  std::int64_t due_us = io.now_us();
  while (!should_stop() && !session.has_failed() && !is_time_up(options, session)) {
    session.update();
    if (io.now_us() >= due_us) {
      due_us = io.now_us() + step_us;
      pilot.fly({}, session.client(), options.size, session.seconds_playing(),
                static_cast<float>(step_us) * 1e-6f);
    }
    std::this_thread::sleep_for(nap);
  }
  if (session.has_failed()) return session.words();
  return std::nullopt;
}

std::optional<std::string> print_scenes(Session& session, const StopQuestion& should_stop) {
  client::Client& client = session.client();
  bool is_asked = false;
  while (!should_stop() && !session.has_failed() && client.scenes().empty()) {
    session.update();
    const client::ClientState state = client.status().state;
    const bool is_there =
        state == client::ClientState::Joining || state == client::ClientState::Playing;
    if (is_there && !std::exchange(is_asked, true)) client.ask_for_scenes();
    if (auto notice = session.take_notice()) return *notice;
    std::this_thread::sleep_for(nap);
  }
  if (session.has_failed()) return session.words();
  for (const protocol::SceneInfo& scene : client.scenes())
    std::printf("%-16s %s\n", base::printable(scene.name).c_str(),
                base::printable(scene.description).c_str());
  return std::nullopt;
}

}  // namespace jostle::client_app
