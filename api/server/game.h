#pragma once

#include "api/base/handle_table.h"
#include "shared/physics/world.h"
#include "shared/sim/simulation.h"

#include <jostle/server/games.h>

namespace jostle::api {

class CallbackRule;

/// The objects that a jostle_game gives access to: those of a simulation between two steps, or
/// those of a rule while it is called.
struct Game {
  const sim::Simulation* simulation = nullptr;  // null for the game of a rule
  sim::RuleContext* context = nullptr;          // null except while a rule is called
  CallbackRule* rule = nullptr;                 // null except while a rule is called
  jostle_world world{};                         // handle of the world for callers

  const scene::SceneDef& scene() const { return context ? context->scene : simulation->scene(); }
  state::Tick tick() const { return context ? context->tick : simulation->tick(); }
  const physics::World& physics_world() const {
    return context ? context->world : simulation->world();
  }
  const sim::Players& players() const { return context ? context->players : simulation->players(); }
  const sim::BodyRegistry& bodies() const {
    return context ? context->bodies : simulation->bodies();
  }
};

inline constexpr std::uint32_t max_games = 16'384;
using GameTable = HandleTable<jostle_game, Game, max_games>;
/// The games of all servers, recordings and rules of this process.
GameTable& games();

/// The handles of a game and of its world. Callers have access only while the game is open.
class LentGame {
 public:
  LentGame() = default;
  ~LentGame();
  LentGame(const LentGame&) = delete;
  LentGame& operator=(const LentGame&) = delete;

  /// Gives callers access to a rule's game until close().
  void open(sim::RuleContext& context, CallbackRule& rule);
  /// Gives callers access to read a simulation until close(). `simulation` must outlive this
  /// object.
  void open(const sim::Simulation& simulation);
  void close();

  jostle_game handle() const { return handle_; }

 private:
  void lend(physics::World& world);

  Game game_;
  jostle_game handle_{};
  const physics::World* world_ = nullptr;  // the world that `game_.world` denotes
};

}  // namespace jostle::api
