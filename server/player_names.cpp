#include "server/player_names.h"

#include "protocol/limits.h"
#include "protocol/text.h"
#include "shared/base/visible_name.h"

#include <algorithm>
#include <variant>

namespace jostle::server {

std::optional<std::string> player_name(const sim::Simulation& simulation, state::PlayerId player) {
  const state::BodyId id = simulation.player_body(player);
  if (id.is_null()) return std::nullopt;
  for (const state::BodyInfo& body : simulation.world_def().bodies)
    if (body.id == id) return body.name;
  return std::nullopt;
}

std::vector<std::string> player_names(const sim::Simulation& simulation,
                                      std::span<const state::Command> pending) {
  std::vector<std::string> names;
  // Check that the body is the player's own, because a player also owns the balls that it has shot.
  for (const state::BodyInfo& body : simulation.world_def().bodies)
    if (!body.owner.is_null() && simulation.player_body(body.owner) == body.id)
      names.push_back(body.name);
  for (const state::Command& command : pending)
    if (const auto* join = std::get_if<state::JoinCommand>(&command)) names.push_back(join->name);
  return names;
}

std::string free_player_name(const std::string& wanted, std::span<const std::string> taken) {
  const auto is_free = [&](const std::string& name) {
    return std::none_of(taken.begin(), taken.end(), [&](const std::string& other) {
      return base::are_names_alike(name, other);
    });
  };
  std::string name = wanted;
  // The loop ends, because there are more numbers than names in `taken`.
  for (std::size_t number = 2; !is_free(name); ++number) {
    const std::string suffix = " (" + std::to_string(number) + ")";
    name = protocol::to_wire_text(wanted, protocol::max_name_bytes - suffix.size()) + suffix;
  }
  return name;
}

}  // namespace jostle::server
