#pragma once

#include "shared/base/bytes.h"
#include "shared/base/result.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/sim/rule.h"
#include "shared/state/command.h"
#include "shared/state/label.h"
#include "shared/state/particle_frame.h"
#include "shared/state/rope.h"
#include "shared/state/snapshot.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace jostle::sim {

struct SimulationOptions {
  int tick_rate_hz = state::default_tick_rate_hz;
  std::uint64_t seed = 0;  // seed of the random numbers for rules

  bool operator==(const SimulationOptions&) const = default;
};

/// Hashes of all state that the next step depends on, by part.
struct SimulationHash {
  physics::StateHash world;
  // players, bodies with ids and descriptions, time control, random numbers and the state of every
  // rule
  std::uint64_t rules = 0;
  std::uint64_t total = 0;

  bool operator==(const SimulationHash&) const = default;
};

/// A scene whose world is already built, see Simulation::load().
struct PreparedScene;
/// Builds the world of a scene, which may take as long as a thousand ticks, so that
/// Simulation::load() need not. Safe to call on another thread than the simulation's. `options` are
/// those of the simulation. The bodies get ids from `first_body` on, which must be above all ids
/// that the simulation gives until it loads the scene. The scene must have spawns.
std::shared_ptr<PreparedScene> prepare_scene(scene::SceneDef scene,
                                             const SimulationOptions& options,
                                             state::BodyId first_body);

/// A scene with players. The state after tick t is a pure function of the scene, the options, the
/// rules and the commands up to t. This class reads no clock, socket or file.
class Simulation {
 public:
  /// Creates the scene's world at tick 0. `rules` act in the given order. The scene must have
  /// spawns.
  Simulation(scene::SceneDef scene, const SimulationOptions& options,
             std::vector<std::unique_ptr<Rule>> rules);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Applies the commands and advances by one tick, in which the world makes as many steps as the
  /// time control says. `commands.tick` must be tick() + 1.
  void step(const state::TickCommands& commands);

  /// Switches to another scene. The next step begins with the start of that scene, as with a reset.
  /// Ticks and ids continue, players stay in the game, and a paused simulation stays paused. This
  /// is not a command: the run is no longer a function of its first scene, so recordings of it
  /// cannot be replayed. The scene must have spawns.
  void load(scene::SceneDef scene);
  /// The same for a prepared scene, which the next step takes over. If the simulation has used the
  /// ids of the prepared bodies meanwhile, that step builds the world anew. Afterwards `scene`
  /// holds the previous scene and its world. Contract: no copy_from() comes before that step, and a
  /// prepared scene is loaded once.
  void load(const std::shared_ptr<PreparedScene>& scene);

  /// Returns the last completed tick; 0 before the first step.
  state::Tick tick() const;
  const SimulationOptions& options() const;
  const scene::SceneDef& scene() const;
  /// Returns scene::hash(scene()), which is computed once.
  std::uint64_t scene_hash() const;
  const physics::World& world() const;
  /// Returns the players, sorted by id.
  const Players& players() const;
  /// Returns the bodies with their ids.
  const BodyRegistry& bodies() const;
  const std::vector<std::unique_ptr<Rule>>& rules() const;

  /// Returns the bodies as clients know them, at the current revision.
  const state::WorldDef& world_def() const;
  /// Returns the change of world_def() in the last step; null if there was none.
  const std::optional<state::WorldChange>& last_change() const;
  /// Returns the bodies that a rule set elsewhere in the last step (BodyRegistry::teleport),
  /// sorted.
  const std::vector<state::BodyId>& teleported() const;
  /// True if the last step restarted the scene.
  bool was_reset() const;
  bool is_paused() const;
  /// Returns the number of steps in 100 ticks while not paused.
  std::uint32_t rate_percent() const;
  /// True if gravity was switched off, although the scene has some.
  bool is_gravity_off() const;
  /// True in slow motion, where capture() interpolates between steps.
  bool is_slowed() const;

  /// Returns the world as clients see it now. In slow motion it is interpolated between the states
  /// before and after the last step, so that it moves in every tick, up to one step late.
  /// Velocities are per second of real time, except that a paused world keeps those of its last
  /// step.
  state::Snapshot capture() const;
  /// Returns the awake bodies, as of the last step.
  std::vector<state::BodyState> capture_awake() const;
  /// Returns the particles, as of the last step.
  state::ParticleFrame capture_particles() const;
  /// Returns the labels of the scene.
  state::Labels labels() const;
  /// Returns ropes, springs and rods for drawing; at most state::max_shown_ropes.
  std::vector<state::Rope> ropes() const;
  std::optional<physics::BodyHandle> find_body(state::BodyId id) const;
  /// Returns the body that a player controls; the null id if there is none.
  state::BodyId player_body(state::PlayerId player) const;

  // For clients that follow another simulation by its messages (client/sim).

  /// Copies the other simulation's state. Later steps have the same results as after save and
  /// restore, but the copy is much faster. Contract: both have the same scene, options and rules.
  void copy_from(const Simulation& other);
  /// Sets a body's pose, velocity and sleep state to those in `body`, which come from another
  /// simulation. A sleeping body gets zero velocity. Contract: the body exists, is not static, and
  /// all values are finite.
  void place(const state::BodyState& body);
  /// Puts a body to sleep or wakes it. The contract is that of place().
  void set_awake(state::BodyId body, bool is_awake);
  /// Sets the tick that counts as the last completed one, and leaves out the steps until then.
  /// Bodies with a scripted motion move to their places of that tick. Contract: `tick` is not
  /// before the current one.
  void skip_to(state::Tick tick);

  /// Sets how later steps are executed (e.g. threads). Has no effect on results.
  void set_execution(const physics::Execution& execution);
  /// Sets a hook that is called within later steps of the world, until the next reset or restore()
  /// (physics::World::set_stage_hook).
  void set_stage_hook(std::function<void(physics::Stage)> hook);
  /// Sets the clock with which the world times its stages, until the next reset or restore(); null
  /// disables timing.
  void set_stage_clock(physics::StageClock clock);
  /// Injects a fault for tests: flips the lowest bit of a field of a body
  /// (physics::World::flip_lowest_bit). Returns false if there is no such body or field.
  bool flip_lowest_bit(state::BodyId body, std::string_view field);

  SimulationHash hash() const;
  void save(base::ByteWriter& writer) const;
  /// Restores a save into a simulation of the same scene, options and rules. On an error, leaves
  /// the simulation unchanged.
  base::Result<base::Ok, physics::RestoreError> restore(base::ByteReader& reader);
  /// Returns the name of the rule that could not read its state in the last call of restore();
  /// empty if there was none.
  std::string_view refusing_rule() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jostle::sim
