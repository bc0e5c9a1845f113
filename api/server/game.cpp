#include "api/server/game.h"

#include "api/physics/tables.h"

namespace jostle::api {

GameTable& games() {
  static constinit GameTable table("game");
  return table;
}

LentGame::~LentGame() {
  if (handle_.index != 0) games().take_back(handle_);
  if (game_.world.index != 0) worlds().take_back(game_.world);
}

/// Makes handles of the game and of its world. A world that was replaced gets a new handle.
void LentGame::lend(physics::World& world) {
  if (handle_.index == 0) handle_ = games().lend(game_);
  if (world_ == &world) return;
  if (game_.world.index != 0) worlds().take_back(game_.world);
  game_.world = {};
  world_ = nullptr;
  game_.world = worlds().lend(world);
  world_ = &world;
}

void LentGame::open(sim::RuleContext& context, CallbackRule& rule) {
  lend(context.world);
  game_.context = &context;
  game_.rule = &rule;
  worlds().open(game_.world, Lending::Change);
  games().open(handle_, Lending::Change);
}

void LentGame::open(const sim::Simulation& simulation) {
  // Callers of this handle can only read the world.
  lend(const_cast<physics::World&>(simulation.world()));
  game_.simulation = &simulation;
  worlds().open(game_.world, Lending::Read);
  games().open(handle_, Lending::Read);
}

void LentGame::close() {
  if (handle_.index != 0) games().open(handle_, Lending::Closed);
  if (game_.world.index != 0) worlds().open(game_.world, Lending::Closed);
  game_.context = nullptr;
  game_.rule = nullptr;
}

}  // namespace jostle::api
