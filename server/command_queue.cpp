#include "server/command_queue.h"

#include <algorithm>

namespace jostle::server {

state::TickCommands CommandQueue::take(state::Tick tick, Clients& clients) {
  state::TickCommands commands;
  commands.tick = tick;
  commands.commands = std::exchange(commands_, {});
  // Inputs are applied in the order of player ids, so that results do not depend on the order of
  // peers.
  std::vector<ClientSession*> players;
  for (auto& [peer, session] : clients) {
    if (!session.player.is_null()) players.push_back(&session);
  }
  std::sort(players.begin(), players.end(),
            [](const ClientSession* a, const ClientSession* b) { return a->player < b->player; });
  for (ClientSession* session : players) {
    state::PlayerInput input = session->inputs.take(tick);
    const bool is_idle = input.move_x == 0.0f && input.move_z == 0.0f && input.buttons == 0 &&
                         input.actions.empty() && input.custom.empty();
    // The simulation treats a player without an input as idle, so leaving these inputs out keeps
    // recordings small.
    if (is_idle) continue;
    session->active_tick = tick;
    commands.commands.emplace_back(state::InputCommand{session->player, std::move(input)});
  }
  return commands;
}

}  // namespace jostle::server
