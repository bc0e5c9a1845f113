#pragma once

#include "shared/base/bytes.h"
#include "shared/state/ids.h"
#include "shared/state/input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::sim {

/// Someone who plays, as the simulation knows them.
struct Player {
  state::PlayerId id;
  std::string name;
  std::uint32_t spawn = 0;  // index into the scene's spawns
  state::BodyId body;
  /// What the player does in the tick being made. In slow motion, actions wait here for the next
  /// tick in which the world steps.
  state::PlayerInput input;

  bool operator==(const Player&) const = default;
};

inline constexpr std::size_t max_player_name_bytes = 64;

/// Players sorted by id. A plain list with lookups: rooms hold tens of players, not thousands.
class Players {
 public:
  std::vector<Player>& all() { return players_; }
  const std::vector<Player>& all() const { return players_; }

  Player* find(state::PlayerId id);
  const Player* find(state::PlayerId id) const;
  /// Contract: the id is not there yet.
  Player& insert(Player player);
  void erase(state::PlayerId id);

  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  std::vector<Player> players_;
};

}  // namespace jostle::sim
