#include "client/app/gallery.h"

#include "client/app/render_quality.h"
#include "client/controls/action_planner.h"
#include "client/controls/script.h"
#include "client/panels/imgui_frame.h"
#include "client/panels/panel.h"
#include "client/render/rope_marks.h"
#include "client/render/window.h"
#include "client/replay/tick_scene.h"
#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/scene_files/scene_files.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace jostle::client_app {
namespace {

constexpr render::Size small{640, 360}, large{1280, 720};
constexpr state::PlayerId player{1};

/// Settings for the picture of a scene. Default: 4 s after its start, small, without players.
struct Exhibit {
  std::string_view scene;
  double seconds = 4;  // time after the start
  // scripted player input; only for scenes that do not move without it
  controls::Script script = controls::Script::None;
  render::Size size = small;  // large if a panel of labels is shown beside the picture
};
constexpr std::array exhibits{
    Exhibit{"balls", 3},
    Exhibit{"bullets", 1.4},
    Exhibit{"chain", 2.4},
    Exhibit{"cradle", 2.6},
    Exhibit{"crates", 6},
    Exhibit{"dominoes", 4.5},
    Exhibit{"hooks", 3.4},
    Exhibit{"integrators", 45, controls::Script::None, large},
    Exhibit{"katamari", 33, controls::Script::Walk},
    Exhibit{"marble_run", 15},
    Exhibit{"pool", 5},
    Exhibit{"ragdolls", 2.5},
    Exhibit{"rolling", 4.4},
    Exhibit{"slow_motion", 4.4},
    Exhibit{"sorter", 12},
    Exhibit{"walk", 3.4, controls::Script::Walk},
    Exhibit{"wall", 1.1},
};

Exhibit exhibit_of(const std::string& scene) {
  const auto found = std::find_if(exhibits.begin(), exhibits.end(),
                                  [&](const Exhibit& each) { return each.scene == scene; });
  return found == exhibits.end() ? Exhibit{scene} : *found;
}

/// A scene that is simulated locally up to the time of its picture.
class Play {
 public:
  Play(scene::SceneDef scene, const Exhibit& exhibit, render::Size size)
      : simulation_(std::move(scene), {}, sim::default_rules()), script_(exhibit.script) {
    rig_.set(simulation_.world_def().camera);
    const int hz = simulation_.options().tick_rate_hz;
    const auto ticks = static_cast<std::uint32_t>(std::lround(exhibit.seconds * hz));
    while (simulation_.tick() < state::Tick{ticks})
      step(size);
    scene_ = replay::scene_of(simulation_);
    render::add_rope_marks(scene_.ropes, scene_.bodies, marks_);
  }

  render::Picture picture() const {
    render::Picture picture;
    picture.view = rig_.view();
    picture.focus = rig_.target();
    picture.bodies = scene_.bodies;
    picture.particles = scene_.particles;
    picture.marks = marks_;
    return picture;
  }
  const state::Labels& labels() const { return scene_.labels; }

 private:
  void step(render::Size size) {
    state::TickCommands commands{simulation_.tick() + 1, {}};
    if (script_.is_playing()) {
      if (simulation_.tick() == state::Tick{})
        commands.commands.push_back(state::JoinCommand{player, "player"});
      commands.commands.push_back(state::InputCommand{player, input(size)});
    }
    simulation_.step(commands);
  }

  /// Returns the player's input, which depends on the scene after the last tick.
  state::PlayerInput input(render::Size size) {
    const replay::TickScene scene = replay::scene_of(simulation_);
    const controls::Shown shown{scene.bodies, player, rig_.view(), size, rig_.mode()};
    const double seconds =
        static_cast<double>(simulation_.tick().number) / simulation_.options().tick_rate_hz;
    return planner_.plan(script_.play(seconds, shown), shown);
  }

  sim::Simulation simulation_;
  controls::ScriptPlayer script_;
  controls::ActionPlanner planner_;
  render::CameraRig rig_;
  replay::TickScene scene_;  // scene at the time of the picture
  std::vector<render::Mark> marks_;
};

/// The scene's labels, drawn over the bound framebuffer; nothing if the scene has none.
class Figures {
 public:
  Figures(render::Window& window, const state::Labels& labels) : labels_(labels) {
    if (!labels.lines.empty()) frame_ = panels::ImguiFrame::create(window);
    // A panel has its final size only after two frames, so draw two frames that are not saved.
    draw();
    draw();
  }
  void draw() {
    if (!frame_) return;
    frame_->begin();
    panels::draw_labels_panel(labels_);
    frame_->end();
  }

 private:
  const state::Labels& labels_;
  std::unique_ptr<panels::ImguiFrame> frame_;
};

std::optional<std::string> draw_exhibit(net::Io& io, const Options& options,
                                        const scene::SceneDef& scene) {
  const Exhibit exhibit = exhibit_of(scene.name);
  const render::Size size = options.gallery_size.value_or(exhibit.size);
  const Play play(scene, exhibit, size);
  const auto window =
      render::Window::create({.title = scene.name, .size = size, .is_offscreen = true});
  if (!window) return window.error();
  Figures figures(**window, play.labels());
  const auto path = std::filesystem::path(options.gallery_folder) / (scene.name + ".png");
  if (auto words = save_best_picture(
          io, **window, size, play.picture(), [&] { figures.draw(); }, path.string()))
    return words;
  std::printf("%-16s %s\n", base::printable(scene.name).c_str(),
              base::printable(scene.description).c_str());
  std::fflush(stdout);
  return std::nullopt;
}

}  // namespace

base::Result<std::vector<scene::SceneDef>, std::string> read_gallery(net::Io& io,
                                                                     const Options& options) {
  std::vector<scene::SceneDef> scenes;
  for (const std::string& name :
       options.gallery_scenes.empty() ? scene::scene_names() : options.gallery_scenes) {
    auto read = scene::load_scene(io, name);
    if (!read) return read.error();
    scenes.push_back(*std::move(read));
  }
  if (scenes.empty()) return std::string("there are no scenes to draw");
  return scenes;
}

std::optional<std::string> draw_gallery(net::Io& io, const Options& options,
                                        const std::vector<scene::SceneDef>& scenes,
                                        const StopQuestion& should_stop) {
  std::error_code error;
  std::filesystem::create_directories(options.gallery_folder, error);
  if (error)
    return "--gallery: cannot create the folder '" + options.gallery_folder +
           "': " + error.message();
  for (const scene::SceneDef& scene : scenes) {
    if (should_stop()) return std::string("stopped before ") + scene.name;
    if (auto words = draw_exhibit(io, options, scene)) return scene.name + ": " + *words;
  }
  std::printf("jostle-view: wrote %s to %s\n", base::counted(scenes.size(), "picture").c_str(),
              base::printable(options.gallery_folder).c_str());
  return std::nullopt;
}

}  // namespace jostle::client_app
