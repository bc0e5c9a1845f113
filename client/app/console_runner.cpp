#include "client/app/console_runner.h"

#include "client/app/render_quality.h"
#include "client/render/debug_draw_layers.h"
#include "client/render/shown_bodies.h"

namespace jostle::client_app {
namespace {

using controls::ConsoleCommand;
using controls::ConsoleVerb;

void list_scenes(panels::Console& console, client::Client& client) {
  if (client.scenes().empty()) {
    client.ask_for_scenes();
    return console.print("asked the server for its scenes; enter `scenes` again in a moment");
  }
  for (const protocol::SceneInfo& scene : client.scenes())
    console.print(scene.name + "  " + scene.description);
}

void follow(std::uint32_t number, panels::Console& console, const ConsoleTargets& targets) {
  if (number != 0 && render::find_body(targets.client.shown_bodies(), {number}) == nullptr)
    return console.complain("there is no body " + std::to_string(number));
  targets.follow({number});
  console.print(number == 0 ? "following yourself" : "following body " + std::to_string(number));
}

void save_picture(const ConsoleCommand& command, panels::Console& console,
                  const ConsoleTargets& targets) {
  const std::string path =
      command.word.empty() ? new_picture_path(targets.client.metrics().newest_tick) : command.word;
  if (const auto words = targets.save_picture(path)) return console.complain(*words);
  console.print("wrote " + path);
}

void run(const ConsoleCommand& command, panels::Console& console, const ConsoleTargets& targets) {
  client::Client& client = targets.client;
  switch (command.verb) {
    case ConsoleVerb::Help:
      for (const std::string& line : controls::console_help(command.word))
        console.print(line);
      break;
    case ConsoleVerb::Pause:
    case ConsoleVerb::Resume:
      client.request({command.verb == ConsoleVerb::Pause ? state::ControlKind::Pause
                                                         : state::ControlKind::Resume,
                      0});
      break;
    case ConsoleVerb::Step:
      client.request({state::ControlKind::Step, command.number});
      break;
    case ConsoleVerb::Rate:
      client.request({state::ControlKind::Rate, command.number});
      break;
    case ConsoleVerb::Reset:
      client.request({state::ControlKind::Reset, 0});
      break;
    case ConsoleVerb::Gravity:
      client.request({state::ControlKind::Gravity, command.number != 0 ? 1U : 0U});
      break;
    case ConsoleVerb::Scene:
      client.load_scene(command.word);
      break;
    case ConsoleVerb::Scenes:
      list_scenes(console, client);
      break;
    case ConsoleVerb::Look:
      targets.choice.look = *render::find_look(command.word);
      break;
    case ConsoleVerb::DebugDraw:
      targets.choice.layers = *render::parse_layers(command.word);
      break;
    case ConsoleVerb::Ghosts:
      targets.is_ghost_shown = command.number != 0;
      break;
    case ConsoleVerb::Follow:
      follow(command.number, console, targets);
      break;
    case ConsoleVerb::Screenshot:
      save_picture(command, console, targets);
      break;
    case ConsoleVerb::Quit:
      targets.is_quit = true;
      break;
  }
}

}  // namespace

void run_console_line(const std::string& line, panels::Console& console,
                      const ConsoleTargets& targets) {
  const auto command = controls::parse_console(line);
  if (!command) return console.complain(command.error());
  run(*command, console, targets);
}

}  // namespace jostle::client_app
