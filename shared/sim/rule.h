#pragma once

#include "shared/base/bytes.h"
#include "shared/base/random.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/sim/body_registry.h"
#include "shared/sim/players.h"
#include "shared/state/command.h"

#include <string_view>

namespace jostle::sim {

/// What a rule sees and may change during a step. References are valid for the call only.
struct Stage {
  const scene::SceneDef& scene;
  state::Tick tick;  // the tick being made
  float step_seconds;
  physics::World& world;
  BodyRegistry& bodies;  // spawn and despawn here, so that clients hear of it
  Players& players;
  base::Random& random;
};

/// A piece of a game's law. The simulation holds a list of them and calls each in turn; a prototype
/// adds its own behind the stock ones. Whatever a rule remembers from one step to the next must go
/// through save and restore, or replays part from the run.
class Rule {
 public:
  virtual ~Rule() = default;

  virtual std::string_view name() const = 0;

  /// The scene stands at its start: forget what belonged to bodies that are gone.
  virtual void reset(Stage&) {}
  virtual void player_joined(Stage&, Player&) {}
  /// Before the player's body goes.
  virtual void player_left(Stage&, Player&) {}
  /// Before the world steps. `player.input` holds what each player does in this tick.
  virtual void before_step(Stage&) {}
  virtual void after_step(Stage&) {}
  /// A body stands elsewhere, or moves otherwise, than the rules have left it (Simulation::place).
  virtual void body_placed(Stage&, state::BodyId) {}

  virtual void save(base::ByteWriter&) const {}
  /// Reads exactly what save wrote; marks the reader failed when it cannot be, for instance when it
  /// names a body that `bodies` does not hold.
  virtual void restore(base::ByteReader&, const BodyRegistry& /*bodies*/) {}
};

}  // namespace jostle::sim
