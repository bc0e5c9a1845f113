#include "server/player_names.h"

#include "protocol/limits.h"
#include "protocol/text.h"
#include "shared/unicode/normalization.h"

#include <algorithm>
#include <set>
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

std::string displayed_player_name(const std::string& name) {
  std::string composed = unicode::to_nfc(name);
  return composed.size() <= protocol::max_name_bytes ? composed : name;
}

std::string player_name_key(const std::string& name) {
  std::string key = unicode::to_nfkc_casefold(name);
  const auto are_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  key.erase(std::unique(key.begin(), key.end(), are_spaces), key.end());
  return key;
}

std::string free_player_name(const std::string& wanted, std::span<const std::string> taken) {
  std::set<std::string> taken_keys;
  for (const std::string& other : taken)
    taken_keys.insert(player_name_key(other));
  std::string name = wanted;
  // The loop ends, because there are more numbers than names in `taken`.
  for (std::size_t number = 2; taken_keys.contains(player_name_key(name)); ++number) {
    const std::string suffix = " (" + std::to_string(number) + ")";
    name = protocol::to_wire_text(wanted, protocol::max_name_bytes - suffix.size()) + suffix;
  }
  return name;
}

}  // namespace jostle::server
