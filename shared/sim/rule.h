#pragma once

#include "shared/base/bytes.h"
#include "shared/base/random.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/sim/body_registry.h"
#include "shared/sim/players.h"
#include "shared/state/command.h"
#include "shared/state/label.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace jostle::sim {

/// The objects that a rule may read and change during a step. References are valid only during the
/// call.
struct RuleContext {
  const scene::SceneDef& scene;
  state::Tick tick;  // current tick
  float step_seconds;
  physics::World& world;
  // use this to spawn, despawn and teleport bodies, so that clients are informed
  BodyRegistry& bodies;
  Players& players;
  base::Random& random;
};

/// A part of the game logic. The simulation has a list of rules and calls each in turn; a game
/// appends its own rules to the default rules. State that a rule keeps between steps must be saved
/// and restored. Otherwise replays diverge from the original run.
class Rule {
 public:
  virtual ~Rule() = default;

  virtual std::string_view name() const = 0;
  /// Returns a new rule of this kind in its initial state, for another simulation.
  virtual std::unique_ptr<Rule> another() const = 0;

  /// Called when the scene has restarted or another scene has started. Discards state that belongs
  /// to removed bodies.
  virtual void reset(RuleContext&) {}
  virtual void player_joined(RuleContext&, Player&) {}
  /// Called before the player's body is removed.
  virtual void player_left(RuleContext&, Player&) {}
  /// Called before each step of the world. `player.input` contains each player's input for this
  /// tick.
  virtual void before_step(RuleContext&) {}
  virtual void after_step(RuleContext&) {}
  /// Called when Simulation::skip_to has left out `steps` steps of the world. Advances the state
  /// that depends on their number.
  virtual void skip_steps(RuleContext&, std::uint32_t /*steps*/) {}
  /// Returns the values that the rule shows to players. They are not part of the simulation state,
  /// so a rule must compute them from its state, or save them with it.
  virtual const std::vector<state::ShownValue>& values() const;
  /// Called after Simulation::place changed the pose or the velocity of a body.
  virtual void body_placed(RuleContext&, state::BodyId) {}

  virtual void save(base::ByteWriter&) const {}
  /// Reads exactly what save wrote. Marks the reader as failed if the data is invalid, for example
  /// if it refers to a body that is not in `bodies`.
  virtual void restore(base::ByteReader&, const BodyRegistry& /*bodies*/) {}
};

inline const std::vector<state::ShownValue>& Rule::values() const {
  static const std::vector<state::ShownValue> none;
  return none;
}

/// Returns the rules of a simulation in their initial state.
using RuleFactory = std::function<std::vector<std::unique_ptr<Rule>>()>;

}  // namespace jostle::sim
