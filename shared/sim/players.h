#pragma once

#include "shared/base/bytes.h"
#include "shared/state/ids.h"
#include "shared/state/input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::sim {

/// A player in the simulation.
struct Player {
  state::PlayerId id;
  std::string name;
  std::uint32_t spawn = 0;  // index into the scene's spawns
  state::BodyId body;
  /// The player's input in the current tick. In slow motion, the actions of ticks without a world
  /// step wait here until the next tick with one.
  state::PlayerInput input;

  bool operator==(const Player&) const = default;
};

inline constexpr std::size_t max_player_name_bytes = 64;

/// The players, sorted by id. A plain list, because a server has tens of players, not thousands.
class Players {
 public:
  std::vector<Player>& all() { return players_; }
  const std::vector<Player>& all() const { return players_; }

  Player* find(state::PlayerId id);
  const Player* find(state::PlayerId id) const;
  /// Inserts a player, whose id must be new, and returns it.
  Player& insert(Player player);
  void erase(state::PlayerId id);

  void save(base::ByteWriter& writer) const;
  void restore(base::ByteReader& reader);

 private:
  std::vector<Player> players_;
};

}  // namespace jostle::sim
