#include "client/controls/console_language.h"

#include "client/render/debug_draw_layers.h"
#include "client/render/instances.h"
#include "client/render/screenshot.h"
#include "protocol/limits.h"
#include "shared/base/parse_number.h"
#include "shared/base/program_names.h"
#include "shared/state/debug_draw_frame.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace jostle::controls {
namespace {

/// Argument of a command.
enum class Argument : std::uint8_t {
  None,
  Number,          // within the row's limits
  OptionalNumber,  // a number that may be omitted; the default is the row's `least`
  Switch,          // "on" or "off"
  Scene,
  Look,
  Layers,  // one or more separated by commas, all, or none
  OptionalPicture,
  OptionalCommand,
};

struct Row {
  std::string_view name;
  ConsoleVerb verb;
  Argument argument;
  std::string_view shown;  // argument in the help text
  std::string_view meaning;
  std::uint32_t least = 0, most = 0;
};

constexpr std::array<Row, 15> rows{{
    {"help", ConsoleVerb::Help, Argument::OptionalCommand, "[COMMAND]",
     "list all commands, or one"},
    {"pause", ConsoleVerb::Pause, Argument::None, "", "pause the world *"},
    {"resume", ConsoleVerb::Resume, Argument::None, "", "resume the world *"},
    {"step", ConsoleVerb::Step, Argument::OptionalNumber, "[TICKS]", "step while paused *", 1,
     protocol::max_control_steps},
    {"rate", ConsoleVerb::Rate, Argument::Number, "PERCENT", "speed of the simulation *", 1,
     protocol::max_rate_percent},
    {"reset", ConsoleVerb::Reset, Argument::None, "", "restart the scene *"},
    {"gravity", ConsoleVerb::Gravity, Argument::Switch, "on|off", "turn gravity on or off *"},
    {"scene", ConsoleVerb::Scene, Argument::Scene, "NAME", "switch to another scene *"},
    {"scenes", ConsoleVerb::Scenes, Argument::None, "", "list the server's scenes"},
    {"draw-mode", ConsoleVerb::Look, Argument::Look, "solid|edges|wireframe|x-ray",
     "draw mode of bodies"},
    {"debug-draw", ConsoleVerb::DebugDraw, Argument::Layers, "LAYER,...|all|none",
     "choose the layers of the debug draw"},
    {"ghosts", ConsoleVerb::Ghosts, Argument::Switch, "on|off",
     "show ghosts: the bodies of the newest snapshot"},
    {"follow", ConsoleVerb::Follow, Argument::Number, "BODY", "follow a body; 0: yourself", 0,
     0xFFFF'FFFF},
    {"screenshot", ConsoleVerb::Screenshot, Argument::OptionalPicture, "[FILE.png]",
     "save the picture"},
    {"quit", ConsoleVerb::Quit, Argument::None, "", "quit the program"},
}};

constexpr std::array<std::string_view, 2> switches{"off", "on"};

const Row* find_row(std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row == rows.end() ? nullptr : &*row;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

std::string usage_of(const Row& row) {
  return std::string(row.name) + (row.shown.empty() ? "" : " ") + std::string(row.shown);
}

bool is_optional(Argument argument) {
  return argument == Argument::OptionalNumber || argument == Argument::OptionalPicture ||
         argument == Argument::OptionalCommand;
}

/// Parses `word` as the argument of the command in `row`. Returns an error message, or null on
/// success.
std::optional<std::string> take_word(const Row& row, const std::string& word,
                                     ConsoleCommand& command) {
  const std::string quoted = "'" + word + "'", usage = "; usage: " + usage_of(row);
  command.word = word;
  switch (row.argument) {
    case Argument::Number:
    case Argument::OptionalNumber: {
      const auto number = base::parse_number<std::uint32_t>(word);
      if (!number || *number < row.least || *number > row.most) {
        return quoted + " is not a whole number from " + std::to_string(row.least) + " to " +
               std::to_string(row.most) + usage;
      }
      command.number = *number;
      command.word.clear();
      return std::nullopt;
    }
    case Argument::Switch: {
      const auto found = std::ranges::find(switches, word);
      if (found == switches.end()) return quoted + " is neither on nor off" + usage;
      command.number = static_cast<std::uint32_t>(found - switches.begin());
      command.word.clear();
      return std::nullopt;
    }
    case Argument::Look:
      return render::find_look(word) ? std::nullopt
                                     : std::optional(quoted + " is not a draw mode" + usage);
    case Argument::Layers: {
      std::string fault = render::layers_fault(word);
      return fault.empty() ? std::nullopt : std::optional(std::move(fault));
    }
    case Argument::OptionalCommand:
      return find_row(word) == nullptr
                 ? std::optional("unknown command '" + word + "'; help lists all commands")
                 : std::nullopt;
    case Argument::OptionalPicture: {
      std::string fault = render::picture_fault(word);
      return fault.empty() ? std::nullopt : std::optional(std::move(fault));
    }
    case Argument::Scene:
    case Argument::None:
      break;
  }
  return std::nullopt;
}

/// Returns the candidates for the word after the words `before`. `begun` is the beginning of that
/// word. In a list of layers, candidates start with the layers before the last comma of `begun`.
std::vector<std::string> candidates(std::span<const std::string> before, std::string_view begun,
                                    std::span<const std::string> scenes) {
  std::vector<std::string> found;
  const auto add_all = [&found](const auto& words) {
    for (const auto& word : words)
      found.emplace_back(word);
  };
  const auto add_commands = [&found] {
    for (const Row& row : rows)
      found.emplace_back(row.name);
  };
  if (before.empty()) {
    add_commands();
    return found;
  }
  const Row* const row = find_row(before[0]);
  if (row == nullptr || before.size() > 1) return found;
  if (row->argument == Argument::OptionalCommand) add_commands();
  if (row->argument == Argument::Switch) add_all(switches);
  if (row->argument == Argument::Look)
    for (const auto& [word, look] : render::body_looks())
      found.push_back(word);
  if (row->argument == Argument::Scene) add_all(scenes);
  if (row->argument == Argument::Layers) {
    const std::size_t comma = begun.rfind(',');
    const std::string list(begun.substr(0, comma == std::string_view::npos ? 0 : comma + 1));
    for (const std::string_view layer : state::debug_draw_layer_names)
      found.push_back(list + std::string(layer));
    if (list.empty()) add_all(std::array<std::string_view, 2>{"all", "none"});
  }
  return found;
}

}  // namespace

base::Result<ConsoleCommand, std::string> parse_console(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return std::string("the command is missing; help lists all commands");
  const Row* const row = find_row(words[0]);
  if (row == nullptr) return "unknown command '" + words[0] + "'; help lists all commands";
  ConsoleCommand command;
  command.verb = row->verb;
  command.number = row->least;
  const std::size_t most = row->argument == Argument::None ? 1 : 2;
  if (words.size() > most) return "'" + words[most] + "' is not expected; usage: " + usage_of(*row);
  if (words.size() < most && !is_optional(row->argument))
    return "an argument is missing; usage: " + usage_of(*row);
  if (words.size() == 2) {
    if (auto wrong = take_word(*row, words[1], command)) return *std::move(wrong);
  }
  return command;
}

std::vector<std::string> complete_console(std::string_view line,
                                          std::span<const std::string> scenes) {
  std::vector<std::string> before = words_of(line);
  std::string begun;
  if (!before.empty() && !line.ends_with(' ')) {
    begun = before.back();
    before.pop_back();
  }
  std::string head;
  for (const std::string& word : before)
    head += word + " ";
  std::vector<std::string> lines;
  for (const std::string& candidate : candidates(before, begun, scenes))
    if (candidate.starts_with(begun)) lines.push_back(head + candidate);
  return lines;
}

std::vector<std::string> console_help(std::string_view command) {
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    if (!command.empty() && row.name != command) continue;
    lines.push_back(usage_of(row) + "\t" + std::string(row.meaning));
  }
  const auto is_marked = [](const std::string& line) { return line.ends_with('*'); };
  const Row* const row = find_row(command);
  if (row != nullptr && row->argument == Argument::Layers)
    lines.push_back("LAYER is one of " + render::layer_names());
  if (std::ranges::any_of(lines, is_marked))
    lines.emplace_back("* needs an operator token, or " + base::program_names().server +
                       " --sandbox");
  return lines;
}

}  // namespace jostle::controls
