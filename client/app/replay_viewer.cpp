#include "client/app/replay_viewer.h"

#include "client/app/frame_pacing.h"
#include "client/app/render_quality.h"
#include "client/app/window_commands.h"
#include "client/app/written_files.h"
#include "client/controls/frame_event_queue.h"
#include "client/controls/input_sampler.h"
#include "client/controls/player_controller.h"
#include "client/panels/replay_hud.h"
#include "client/render/picking.h"
#include "client/render/renderer.h"
#include "client/render/rope_marks.h"
#include "client/render/screenshot.h"
#include "client/render/shown_bodies.h"
#include "shared/base/counted.h"
#include "shared/record/compare.h"
#include "shared/record/recording_file.h"
#include "shared/record/replay.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

namespace jostle::client_app {
namespace {

// Maximum and minimum time per frame for simulating ticks.
constexpr std::int64_t longest_replay_us = 100'000;
constexpr std::int64_t least_replay_us = 12'000;
constexpr int video_frames_per_second = 30;
// Number of frames after which panels have their final size.
constexpr std::uint64_t frames_until_panels_fit = 2;
constexpr state::Colour ghost_line{255, 92, 205};

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Main loop of the window that shows a recording.
class ReplayViewer {
 public:
  ReplayViewer(net::Io& io, const Options& options, replay::ReplayPlayer& player,
               render::Window& window, RuntimeSettings& live, render::Renderer renderer)
      : io_(io),
        options_(options),
        player_(player),
        window_(window),
        live_(live),
        renderer_(std::move(renderer)),
        file_(file_name_of(options.recording_path)),
        other_file_(file_name_of(options.compare_path)),
        choice_{options.look, options.debug_draw} {
    if (options.is_hud_shown) hud_ = panels::ReplayHud::create(window);
    if (hud_) hud_->open(options.panels);
    sampler_.set(live.now().controls);
    if (!player.tape().recording().is_closed) say("the recording is incomplete: it was not closed");
    if (options.at_tick) {
      player.seek({*options.at_tick});
    } else {
      player.toggle();
    }
  }

  std::optional<std::string> run(const StopQuestion& should_stop) {
    std::int64_t last_us = io_.now_us();
    const std::int64_t begin_us = last_us;
    while (!should_stop() && !is_quit_ &&
           !is_done(static_cast<double>(io_.now_us() - begin_us) * 1e-6)) {
      const std::int64_t start_us = io_.now_us();
      const auto seconds = static_cast<float>(start_us - last_us) * 1e-6f;
      last_us = start_us;
      step(is_video() ? video_step_s() : std::min(seconds, max_camera_step_s), start_us);
      is_drawn_ = window_.is_seen() || is_video();
      const std::int64_t drawn_from_us = io_.now_us();
      if (is_drawn_) {
        draw();
        window_.swap();
      }
      draw_us_ = std::min(io_.now_us() - drawn_from_us, longest_replay_us);
      if (is_drawn_) ++frames_;
      frames_there_ = player_.is_there() ? frames_there_ + 1 : 0;
      if (const auto words = keep_frame()) return words;
      if (!is_video()) wait_for_next(start_us, should_stop);
    }
    if (const auto words = live_.finish())
      std::fprintf(stderr, "jostle-view: warning: %s\n", words->c_str());
    if (is_video()) report_frames(options_.frames_folder, kept_frames_);
    if (options_.screenshot_path.empty()) return std::nullopt;
    if (auto words = save_picture(options_.screenshot_path)) return words;
    report_written(options_.screenshot_path, render::describe(renderer_.size()));
    return std::nullopt;
  }

  // Functions of the window commands (make_window_parts()).

  /// Selects the body under the cursor.
  void inspect() {
    if (!hud_) return;
    const render::Ray ray = render::ray_through(rig_.view(), renderer_.size(), cursor_);
    if (const auto found = pick(ray, player_.scene().bodies, {}))
      hud_->select(found->body->info->id);
  }
  void say(const std::string& words) {
    if (hud_) hud_->say(words, now_s());
  }
  void take_screenshot() {
    const std::string path = new_picture_path(player_.tick());
    const auto words = save_picture(path);
    say(words ? *words : "wrote " + path);
  }

 private:
  // Video frames are evenly spaced in recorded time, however long they take to draw.
  bool is_video() const { return !options_.frames_folder.empty(); }
  float video_step_s() const {
    if (frames_ == 0) return 0;
    const int rate = live_.now().max_frames_per_second;
    return 1.0f / static_cast<float>(rate == 0 ? video_frames_per_second : rate);
  }
  /// Returns true if the video is a single picture of --at-tick. The frames before it only let the
  /// panels reach their size.
  bool is_one_tick() const {
    return options_.at_tick && options_.is_offscreen && options_.frames == 0 &&
           options_.duration_s == 0;
  }
  /// Saves the frame if this is a video. Returns an error message, or null.
  std::optional<std::string> keep_frame() {
    if (!is_video() || (is_one_tick() && !is_done(0))) return std::nullopt;
    return render::save_png(io_, render::frame_path(options_.frames_folder, ++kept_frames_),
                            renderer_.read_pixels(), renderer_.size());
  }

  bool is_done(double seconds) const {
    if (options_.frames > 0 && frames_ >= options_.frames) return true;
    if (options_.duration_s > 0 && seconds >= options_.duration_s) return true;
    if (!options_.is_offscreen || options_.frames > 0 || options_.duration_s > 0) return false;
    return player_.is_there() && !player_.is_playing() && frames_there_ >= frames_until_panels_fit;
  }

  void step(float seconds, std::int64_t start_us) {
    SDL_Event event;
    events_.begin_picture();
    while (events_.next(event))
      handle(event);
    if (hud_) {
      const panels::ReplayChoice wish = hud_->take_wish();
      if (wish.seek) player_.seek(*wish.seek);
      execute_key(wish.command);
    }
    sampler_.set_picture(renderer_.size(), window_.pixels_per_unit());
    const controls::UserInput user = sampler_.sample();
    cursor_ = user.cursor;
    for (const controls::Command command : user.commands)
      execute_command(command);
    // Limit the simulation to the drawing time of the last frame, within 12 ms to 100 ms. With a
    // slow software renderer, the simulation still gets about half of the time. A video has no
    // limit.
    const std::int64_t budget_us = std::max(least_replay_us, draw_us_);
    player_.advance(static_cast<double>(seconds),
                    [&] { return is_video() || io_.now_us() - start_us < budget_us; });
    renderer_.resize(window_.drawable_size());
    meet_scene();
    controls::move_camera(rig_, user, renderer_.size(), seconds);
    if (const auto* followed = render::find_body(player_.scene().bodies, selected()))
      rig_.follow(followed->pose.position, seconds);
  }

  void handle(const SDL_Event& event) {
    if (hud_) hud_->handle(event);
    if (const auto words = live_.gamepads().handle(event); !words.empty()) say(words);
    if (hud_ && (hud_->takes(event) || live_.panel().takes(event))) return;
    if (hud_ && event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE &&
        hud_->close_one())
      return;
    if (event.type == SDL_KEYDOWN) {
      const panels::ReplayCommand command =
          panels::replay_command_of(live_.now().controls.keys, event.key.keysym);
      if (command != panels::ReplayCommand::None) return execute_key(command);
    }
    sampler_.handle(window_.in_pixels(event));
  }

  void execute_key(panels::ReplayCommand command) {
    if (command == panels::ReplayCommand::ToggleGhost) {
      is_ghost_shown_ = !is_ghost_shown_;
      if (!player_.has_other()) say("to see a ghost, start with --compare OTHER.jrec");
    } else if (command == panels::ReplayCommand::ToDifference && !player_.seek_difference()) {
      say(player_.has_other() ? "the recordings are the same" : "no differing tick is known");
    } else {
      execute(command, player_);
    }
  }

  void execute_command(controls::Command command) {
    if (execute_window_command(command, parts_)) return;
    switch (command) {
      case controls::Command::ToggleFollow:
        rig_.set_mode(rig_.mode() == render::CameraMode::Follow ? render::CameraMode::Orbit
                                                                : render::CameraMode::Follow);
        break;
      case controls::Command::ToggleFly:
        rig_.set_mode(rig_.mode() == render::CameraMode::Fly ? render::CameraMode::Orbit
                                                             : render::CameraMode::Fly);
        break;
      default:
        break;  // other commands need a server
    }
  }

  state::BodyId selected() { return hud_ ? hud_->bodies().selected() : state::BodyId{}; }
  /// Sets the camera to the options' camera or else the scene's, once per scene.
  void meet_scene() {
    const state::WorldDef& world = player_.tape().simulation().world_def();
    if (scene_ == world.scene_name) return;
    scene_ = world.scene_name;
    rig_.set(options_.camera.value_or(world.camera));
  }

  double now_s() { return static_cast<double>(io_.now_us()) * 1e-6; }

  const state::DebugDrawFrame* debug_draw() {
    return choice_.layers == 0 ? nullptr : &player_.debug_draw(choice_.layers);
  }

  render::Picture picture() {
    const replay::TickScene& scene = player_.scene();
    render::Picture picture;
    picture.view = rig_.view();
    picture.focus = rig_.target();
    picture.bodies = scene.bodies;
    picture.particles = scene.particles;
    marks_.clear();
    render::add_rope_marks(scene.ropes, scene.bodies, marks_);
    const replay::SceneDifference* difference = player_.difference();
    if (difference != nullptr && is_ghost_shown_) {
      picture.ghosts = difference->ghosts;
      for (const client::ShownBody& ghost : difference->ghosts)
        if (const auto* body = render::find_body(scene.bodies, ghost.info->id))
          marks_.push_back({body->pose.position, ghost.pose.position, ghost_line});
    }
    picture.marks = marks_;
    picture.look = choice_.look;
    picture.is_sleep_shown = choice_.is_sleep_shown;
    picture.debug_draw = debug_draw();
    picture.selected = selected();
    return picture;
  }

  void draw() {
    renderer_.draw(picture(), [] {});
    draw_hud();
    renderer_.present(window_.drawable_size());
    renderer_.finish([] { SDL_Delay(1); });
    if (hud_) follow_settings();
  }

  /// Applies changes made in the settings panel.
  void follow_settings() {
    const auto before = live_.take_change();
    const settings::Settings& now = live_.now();
    if (before) {
      if (const auto words = apply_change(*before, now, window_, renderer_, sampler_)) say(*words);
      if (before->look != now.look) choice_.look = now.look;
      if (before->is_body_browser_shown != now.is_body_browser_shown)
        hud_->bodies().show(now.is_body_browser_shown);
    }
    if (const auto words = live_.keep()) say(*words);
  }

  void draw_hud() {
    if (!hud_) return;
    hud_->set_scale(live_.now().interface_scale);
    hud_->draw({player_, file_, other_file_, rig_.view(), is_ghost_shown_, now_s(), &choice_,
                debug_draw(), live_.view(window_)});
  }

  void wait_for_next(std::int64_t start_us, const StopQuestion& should_stop) {
    int limit = live_.now().max_frames_per_second;
    const bool is_paced = is_drawn_ && window_.waits_for_display();
    if (limit == 0 && !is_paced) limit = unpaced_frames_per_second;
    if (limit == 0) return;
    const std::int64_t due_us = start_us + 1'000'000 / limit;
    while (io_.now_us() < due_us && !should_stop())
      SDL_Delay(1);
  }

  std::optional<std::string> save_picture(const std::string& path) {
    return save_best_picture(
        io_, window_, renderer_.size(), picture(), [this] { draw_hud(); }, path);
  }

  net::Io& io_;
  const Options& options_;
  replay::ReplayPlayer& player_;
  render::Window& window_;
  RuntimeSettings& live_;
  render::Renderer renderer_;
  std::string file_, other_file_;
  std::unique_ptr<panels::ReplayHud> hud_;
  controls::FrameEventQueue events_;
  controls::InputSampler sampler_;
  render::CameraRig rig_;
  std::string scene_;  // the scene that the camera was set for
  std::vector<render::Mark> marks_;
  panels::DrawChoice choice_;
  render::ScreenPoint cursor_;
  bool is_ghost_shown_ = true, is_quit_ = false;
  std::uint64_t frames_ = 0, frames_there_ = 0;
  std::uint64_t kept_frames_ = 0;  // number of video frames that were saved
  bool is_drawn_ = true;           // false: the window is minimised or hidden
  std::int64_t draw_us_ = 0;       // drawing time of the last frame
  WindowParts parts_ = make_window_parts(window_, live_, choice_, is_quit_, hud_, *this);
};

}  // namespace

base::Result<std::unique_ptr<replay::ReplayPlayer>, std::string> open_recordings(
    net::Io& io, const Options& options) {
  auto shown = record::read_recording_file(io, options.recording_path);
  if (!shown) return shown.error();
  std::optional<record::Recording> other;
  if (!options.compare_path.empty()) {
    auto read = record::read_recording_file(io, options.compare_path);
    if (!read) return "--compare: " + read.error();
    if (const auto started = record::start_replay(*read); !started)
      return "--compare: '" + options.compare_path + "': " + started.error();
    if (const auto why = record::why_not_comparable(*shown, *read))
      return "--compare: '" + options.compare_path + "' and '" + options.recording_path +
             "': " + *why;
    other = *std::move(read);
  }
  auto player = replay::ReplayPlayer::create(*std::move(shown), std::move(other));
  if (!player) return "'" + options.recording_path + "': " + player.error();
  const state::Tick first = (*player)->first(), last = (*player)->last();
  if (options.at_tick &&
      (state::Tick{*options.at_tick} < first || state::Tick{*options.at_tick} > last))
    return "--at-tick: '" + options.recording_path + "' has ticks " + std::to_string(first.number) +
           " to " + std::to_string(last.number) + ", not " + std::to_string(*options.at_tick);
  return *std::move(player);
}

std::optional<std::string> run_replay_viewer(net::Io& io, const Options& options,
                                             replay::ReplayPlayer& player, RuntimeSettings& live,
                                             render::Window& window,
                                             const StopQuestion& should_stop) {
  auto renderer = render::Renderer::create(window.gl(), render_options(live.now(), window));
  if (!renderer) return "cannot draw: " + renderer.error();
  return ReplayViewer(io, options, player, window, live, *std::move(renderer)).run(should_stop);
}

std::string replay_summary(const Options& options, replay::ReplayPlayer& player) {
  std::array<char, 128> figures{};
  std::snprintf(figures.data(), figures.size(), ": tick %u of %u to %u, hash %016llx",
                player.tick().number, player.first().number, player.last().number,
                static_cast<unsigned long long>(player.tape().simulation().hash().total));
  std::string words = "jostle-view: " + options.recording_path + figures.data();
  if (const auto matches_recording = player.matches_recording())
    words += *matches_recording ? ", as recorded" : ", NOT as recorded";
  if (!player.has_other()) return words;
  const replay::SceneDifference* const difference = player.difference();
  words += ", " + options.compare_path;
  if (difference == nullptr) return words + " does not contain this tick";
  if (difference->bodies > 0)
    return words + ": " + base::counted(difference->bodies, "body") +
           (difference->bodies == 1 ? " differs" : " differ");
  return words + (player.differs_now() ? ": different state, same poses" : ": the same state");
}

}  // namespace jostle::client_app
