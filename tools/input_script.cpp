#include "tools/input_script.h"

#include "protocol/player_name.h"
#include "shared/base/printable.h"
#include "shared/math/vec3.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

namespace jostle::tools {

/// One line of the script: the event, the player and the numbers.
struct InputScript::Event {
  std::string verb;
  state::PlayerId player;
  std::string name;
  std::vector<float> numbers;
};

namespace {

struct Verb {
  std::string_view name;
  bool has_player = false;
  std::size_t numbers = 0;
};
constexpr std::array<Verb, 16> verbs{{{"join", true, 0},
                                      {"leave", true, 0},
                                      {"move", true, 2},
                                      {"buttons", true, 1},
                                      {"push", true, 7},
                                      {"shoot", true, 6},
                                      {"spawn", true, 6},
                                      {"blast", true, 4},
                                      {"drag", true, 7},
                                      {"release", true, 0},
                                      {"pause", false, 0},
                                      {"resume", false, 0},
                                      {"step", false, 1},
                                      {"rate", false, 1},
                                      {"reset", false, 0},
                                      {"gravity", false, 1}}};

template <typename Number>
std::optional<Number> parse_number(const std::string& word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : verbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

/// Returns the names of all events for error messages: "join, leave, ... or gravity".
std::string verb_names() {
  std::string names;
  for (const Verb& verb : verbs)
    names += (names.empty() ? "" : &verb == &verbs.back() ? " or " : ", ") + std::string(verb.name);
  return names;
}

state::ControlCommand control_of(std::string_view verb, std::uint32_t count) {
  using state::ControlKind;
  if (verb == "pause") return {ControlKind::Pause, 0};
  if (verb == "resume") return {ControlKind::Resume, 0};
  if (verb == "step") return {ControlKind::Step, count};
  if (verb == "rate") return {ControlKind::Rate, count};
  if (verb == "reset") return {ControlKind::Reset, 0};
  return {ControlKind::Gravity, count};
}

math::Vec3 vector_at(const std::vector<float>& numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

}  // namespace

InputScript::InputScript() = default;
InputScript::~InputScript() = default;
InputScript::InputScript(InputScript&&) noexcept = default;
InputScript& InputScript::operator=(InputScript&&) noexcept = default;

base::Result<InputScript, std::string> InputScript::parse(std::string_view text,
                                                          const std::string& file) {
  InputScript script;
  std::istringstream lines{std::string(text)};
  std::string line;
  std::uint32_t last_tick = 1;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto wrong = [&](const std::string& what) {
      std::string words = file;
      return words.append(":").append(std::to_string(number)).append(": ").append(what);
    };
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<std::string> parts;
    for (std::string word; words >> word;)
      parts.push_back(word);
    if (parts.empty()) continue;

    const auto tick = parse_number<std::uint32_t>(parts[0]);
    if (!tick || *tick < 1)
      return wrong("'" + base::printable(parts[0]) +
                   "' is not a tick: ticks are whole numbers from 1");
    if (*tick < last_tick)
      return wrong("tick " + parts[0] + " follows tick " + std::to_string(last_tick) +
                   ": ticks must not decrease");
    last_tick = *tick;
    const Verb* verb = parts.size() > 1 ? find_verb(parts[1]) : nullptr;
    if (verb == nullptr)
      return wrong((parts.size() > 1 ? "'" + base::printable(parts[1]) + "' is not an event"
                                     : "the event is missing") +
                   ": expected " + verb_names());

    Event event;
    event.verb = verb->name;
    std::size_t next = 2;
    if (verb->has_player) {
      const auto player =
          next < parts.size() ? parse_number<std::uint16_t>(parts[next]) : std::nullopt;
      if (!player || *player == 0)
        return wrong("'" + event.verb + "' needs a player number from 1");
      event.player = {*player};
      ++next;
    }
    if (event.verb == "join") {
      for (; next < parts.size(); ++next)
        event.name += (event.name.empty() ? "" : " ") + parts[next];
      const std::string fault = event.name.empty() ? "" : protocol::name_fault(event.name);
      if (!fault.empty()) return wrong("'" + base::printable(event.name) + "': " + fault);
    }
    for (; next < parts.size(); ++next) {
      const auto value = parse_number<float>(parts[next]);
      if (!value || !std::isfinite(*value))
        return wrong("'" + base::printable(parts[next]) + "' is not a number");
      event.numbers.push_back(*value);
    }
    if (event.numbers.size() != verb->numbers) {
      return wrong("'" + event.verb + "' needs " + std::to_string(verb->numbers) +
                   " numbers, but has " + std::to_string(event.numbers.size()));
    }
    script.events_[*tick].push_back(std::move(event));
  }
  return script;
}

std::uint32_t InputScript::last_tick() const {
  return events_.empty() ? 0 : events_.rbegin()->first;
}

state::TickCommands InputScript::next(state::Tick tick) {
  state::TickCommands commands;
  commands.tick = tick;
  for (const Event& event : events_[tick.number]) {
    if (event.verb == "join") {
      players_[event.player] = {};
      commands.commands.emplace_back(state::JoinCommand{event.player, event.name});
    } else if (event.verb == "leave") {
      players_.erase(event.player);
      commands.commands.emplace_back(state::LeaveCommand{event.player});
    } else if (event.player.is_null()) {
      const float count = event.numbers.empty() ? 0.0f : math::clamp(event.numbers[0], 0.0f, 1e6f);
      commands.commands.emplace_back(control_of(event.verb, static_cast<std::uint32_t>(count)));
    }
    const auto it = players_.find(event.player);
    if (it == players_.end()) continue;
    Held& held = it->second;
    const std::vector<float>& n = event.numbers;
    if (event.verb == "move") {
      const float size = std::sqrt(n[0] * n[0] + n[1] * n[1]);
      held.input.move_x = size > 1.0f ? n[0] / size : n[0];
      held.input.move_z = size > 1.0f ? n[1] / size : n[1];
    } else if (event.verb == "buttons") {
      held.input.buttons = static_cast<std::uint16_t>(math::clamp(n[0], 0.0f, 65535.0f));
    } else if (event.verb == "shoot" || event.verb == "spawn") {
      const bool is_ball = event.verb == "shoot";
      held.input.actions.push_back({is_ball ? state::ActionKind::Shoot : state::ActionKind::Spawn,
                                    {},
                                    vector_at(n, 0),
                                    vector_at(n, 3)});
    } else if (event.verb == "blast") {
      held.input.actions.push_back({state::ActionKind::Blast, {}, vector_at(n, 0), {n[3], 0, 0}});
    } else if (event.verb == "push" || event.verb == "drag") {
      const bool is_push = event.verb == "push";
      const auto body = static_cast<std::uint32_t>(math::clamp(n[0], 0.0f, 4e9f));
      const state::Action action{is_push ? state::ActionKind::Push : state::ActionKind::Grab,
                                 {body},
                                 vector_at(n, 1),
                                 vector_at(n, 4)};
      if (is_push) {
        held.input.actions.push_back(action);
      } else {
        held.drags = {action};
      }
    } else if (event.verb == "release") {
      held.drags.clear();
    }
  }
  for (auto& [player, held] : players_) {
    state::PlayerInput input = held.input;
    input.tick = tick;
    input.actions.insert(input.actions.end(), held.drags.begin(), held.drags.end());
    if (input.actions.size() > state::max_actions_per_input) {
      input.actions.resize(state::max_actions_per_input);
    }
    held.input.actions.clear();
    commands.commands.emplace_back(state::InputCommand{player, std::move(input)});
  }
  return commands;
}

}  // namespace jostle::tools
