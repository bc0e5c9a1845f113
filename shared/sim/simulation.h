#pragma once

#include "shared/base/bytes.h"
#include "shared/base/result.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/sim/rule.h"
#include "shared/state/command.h"
#include "shared/state/cord.h"
#include "shared/state/particle_frame.h"
#include "shared/state/readout.h"
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
  std::uint64_t seed = 0;  // of the random numbers that rules may draw

  bool operator==(const SimulationOptions&) const = default;
};

/// Hashes of all that the next step reads, by part.
struct SimulationHash {
  physics::StateHash world;
  std::uint64_t rules = 0;  // players, ids, shots, clocks and the state of every rule
  std::uint64_t total = 0;

  bool operator==(const SimulationHash&) const = default;
};

/// A scene with players in it. State after tick t is a pure function of the scene, the options, the
/// rules and the commands up to t. Reads no clock, no socket, no file.
class Simulation {
 public:
  /// Rules act in the order given.
  Simulation(scene::SceneDef scene, const SimulationOptions& options,
             std::vector<std::unique_ptr<Rule>> rules);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// `commands.tick` must be tick() + 1.
  void step(const state::TickCommands& commands);

  /// Goes on with another scene: the next step begins with its start, as with that of this one at a
  /// reset. Ticks and ids go on, players keep their seats, a pause lasts. It is no command: what
  /// follows is no longer a function of the scene that the run began with, and no recording of it
  /// can be replayed. The scene must have spawns.
  void load(scene::SceneDef scene);

  /// The last tick completed; 0 before the first step.
  state::Tick tick() const;
  const SimulationOptions& options() const;
  const scene::SceneDef& scene() const;
  const physics::World& world() const;

  /// The bodies as clients know them, at the current revision.
  const state::WorldDef& world_def() const;
  /// What the last step changed in it, or nothing.
  const std::optional<state::WorldChange>& last_change() const;
  /// Whether the last step put the scene back to its start.
  bool was_reset() const;
  bool is_paused() const;
  /// Steps in 100 ticks while it is not paused.
  std::uint32_t rate_percent() const;
  /// It was switched off; the scene itself has some.
  bool is_gravity_off() const;
  /// In slow motion, in which capture() shows what lies between steps.
  bool is_slowed() const;

  /// The world as clients may see it now. In slow motion, between the last two steps: at the time
  /// of this tick, one step late, so that it moves in every tick. Velocities are per second of
  /// those who look on.
  state::Snapshot capture() const;
  /// Those bodies of it that are awake, as the last step left them.
  std::vector<state::BodyState> capture_awake() const;
  /// The particles, as the last step left them.
  state::ParticleFrame capture_particles() const;
  /// The figures that the scene shows.
  state::Readouts read_out() const;
  /// Ropes, springs and rods, as they are to be drawn; at most state::max_shown_cords.
  std::vector<state::Cord> cords() const;
  std::optional<physics::BodyHandle> find_body(state::BodyId id) const;
  /// The body that a player steers, or null.
  state::BodyId player_body(state::PlayerId player) const;

  // For those who follow another simulation by what they are told of it (client/sim).

  /// Becomes what the other is, as if it had taken its steps; much cheaper than save and restore.
  /// Contract: of the same scene, options and rules.
  void copy_from(const Simulation& other);
  /// Puts a body where and as fast as another simulation has it. One that sleeps stands still.
  /// Contract: the body is there, and neither static nor out of the finite.
  void place(const state::BodyState& body);
  /// Lets a body sleep where it is, or wakes it. Contract: as above.
  void set_awake(state::BodyId body, bool is_awake);
  /// Goes on as if the last tick had been this one.
  void skip_to(state::Tick tick);

  /// How steps are carried out from now on; it reaches no result.
  void set_execution(const physics::Execution& execution);
  /// Within the world's steps from now on, but for a reset's (physics::World::set_stage_hook).
  void set_stage_hook(std::function<void(physics::Stage)> hook);
  /// Lent to the world, to time its stages with; null: it times none.
  void set_stage_clock(physics::StageClock clock);
  /// A fault on purpose: physics::World::nudge. False where there is no such body or field.
  bool nudge(state::BodyId body, std::string_view field);

  SimulationHash hash() const;
  void save(base::ByteWriter& writer) const;
  /// Into a simulation of the same scene, options and rules. Unchanged on error.
  base::Result<base::Ok, physics::RestoreError> restore(base::ByteReader& reader);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jostle::sim
