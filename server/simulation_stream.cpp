#include "server/simulation_stream.h"

#include "protocol/control_codec.h"
#include "protocol/limits.h"
#include "protocol/simulation_codec.h"
#include "shared/base/bytes.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace jostle::server {
namespace {

/// Number of commands of any kind that fit in one message.
constexpr std::size_t max_commands_per_message = 40;

}  // namespace

/// Returns a player's input without grabs and custom data. Returns null if it has no actions and
/// the movement and buttons equal those of the tick before, unless all inputs must be sent.
std::optional<state::InputCommand> SimulationStream::new_input(const state::InputCommand& command) {
  const Held held{command.input.move_x, command.input.move_z, command.input.buttons};
  Held& before = held_[command.player];
  bool is_new = sends_all_inputs_ || held != before;
  before = held;
  state::InputCommand sent = command;
  sent.input.custom.clear();
  // Leave out grabs: clients send them every tick, and their effect is visible in the snapshots.
  std::erase_if(sent.input.actions,
                [](const state::Action& action) { return action.kind == state::ActionKind::Grab; });
  is_new |= !sent.input.actions.empty();
  if (!is_new) return std::nullopt;
  return sent;
}

std::vector<std::vector<std::byte>> SimulationStream::commands_of(
    const state::TickCommands& commands) {
  std::vector<state::Command> sent;
  std::set<state::PlayerId> active;
  // appended after the other commands, sorted by player
  std::map<state::PlayerId, state::InputCommand> inputs;
  for (const state::Command& command : commands.commands) {
    if (const auto* input = std::get_if<state::InputCommand>(&command)) {
      active.insert(input->player);
      if (auto news = new_input(*input)) inputs.emplace(input->player, *std::move(news));
    } else {
      sent.push_back(command);
    }
  }
  // A player without a command in this tick is idle. If it was active in the tick before, send one
  // idle input.
  std::erase_if(held_, [&](const auto& held) {
    if (active.contains(held.first)) return false;
    state::InputCommand idle{held.first, {}};
    idle.input.tick = commands.tick;
    inputs.emplace(held.first, std::move(idle));
    return true;
  });
  for (auto& [player, input] : inputs)
    sent.emplace_back(std::move(input));
  sends_all_inputs_ = false;
  std::vector<std::vector<std::byte>> messages;
  for (std::size_t i = 0; i < sent.size(); i += max_commands_per_message) {
    const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(i);
    const std::size_t count = std::min(max_commands_per_message, sent.size() - i);
    messages.push_back(protocol::encode_control(
        state::TickCommands{commands.tick, {begin, begin + static_cast<std::ptrdiff_t>(count)}}));
  }
  return messages;
}

SharedBlob SimulationStream::whole(const sim::Simulation& simulation) {
  sends_all_inputs_ = true;
  if (tick_ == simulation.tick()) return blob_;
  tick_ = simulation.tick();
  blob_ = nullptr;
  // Without a source text, the scene was not loaded from a file.
  if (simulation.scene().source_text.empty()) return nullptr;
  protocol::SimulationStart start;
  start.scene_file = simulation.scene().name;
  start.scene_text = simulation.scene().source_text;
  start.seed = simulation.options().seed;
  start.tick_rate_hz = simulation.options().tick_rate_hz;
  base::ByteWriter state;
  simulation.save(state);
  start.state.assign(state.bytes().begin(), state.bytes().end());
  protocol::Blob blob = protocol::encode_simulation(start);
  if (blob.bytes.size() <= protocol::max_blob_bytes)
    blob_ = pack(protocol::BlobKind::Simulation, std::move(blob));
  return blob_;
}

}  // namespace jostle::server
