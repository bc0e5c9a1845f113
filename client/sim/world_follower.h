#pragma once

#include "client/sim/body_correction.h"
#include "client/sim/input_history.h"
#include "client/snapshot_buffer.h"
#include "shared/physics/handles.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"
#include "shared/state/input.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace jostle::prediction {

/// Local copy of the server's simulation near the player, corrected by each new snapshot.
///
/// Snapshots have rounded poses and no velocities. This class therefore simulates the same ticks as
/// the server, with all known inputs. A body keeps its simulated state while the snapshots agree
/// with it, so velocities and contacts stay exact. If a body deviates, its pose and velocity change
/// by the smallest amount that matches the snapshot. Bodies that are too far from the player's body
/// are put to sleep, so that the cost of a step depends on nearby bodies only.
class WorldFollower {
 public:
  /// Maximum number of ticks to catch up step by step; a larger gap is skipped.
  static constexpr std::uint32_t max_steps = 32;
  /// Maximum number of consecutive snapshots whose set of bodies differs from the simulation's: the
  /// commands that spawn or despawn these bodies may still arrive.
  static constexpr std::uint32_t patience_ticks = 240;
  static constexpr std::size_t max_held_commands = 1'024;

  /// Begins at `start`, the state of the server's simulation after some tick.
  WorldFollower(sim::Simulation start, state::PlayerId player);

  void handle_commands(state::TickCommands commands);
  /// Returns the commands to assume for future ticks: the last known input of every other player.
  std::vector<state::Command> others() const;

  /// Simulates to the tick of `newest`, with the player's own `inputs`. Then corrects bodies to
  /// match `newest`: sleeping bodies within `reach` (m) of the player's own body, awake bodies
  /// within 1.5 × `reach`. Puts awake dynamic bodies beyond this distance to sleep. In slow motion,
  /// and without the own body in `newest`, bodies are left unchanged.
  ///
  /// Returns true if predictions from the earlier state are invalid: a body was corrected, a
  /// command was applied that only the server had known, or ticks were skipped.
  bool follow(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
              const InputHistory& inputs, double reach);

  /// Returns the bodies that were set elsewhere in the ticks of the last call of follow(), sorted.
  const std::vector<state::BodyId>& teleported() const { return teleported_; }
  /// Returns true if the set of bodies has differed from the server's for more than
  /// `patience_ticks` snapshots, or commands were lost.
  bool has_diverged() const { return differing_snapshots_ > patience_ticks || has_overflowed_; }
  /// Returns true if, within the last 60 ticks, a snapshot contradicted the simulated pose of this
  /// body while it was awake.
  bool is_doubtful(state::BodyId id) const;
  const sim::Simulation& simulation() const { return simulation_; }
  state::BodyId own_body() const { return simulation_.player_body(player_); }
  /// Returns the radius around the own body within which it can act on other bodies, m.
  double own_reach() const;
  double own_speed() const;

 private:
  void note_teleports(std::span<const state::BodyId> bodies);
  bool step_to(state::Tick tick, const InputHistory& inputs);
  state::TickCommands commands_of(state::Tick tick, const InputHistory& inputs);
  void handle_input(const state::InputCommand& received, std::vector<state::Action>& own_shots);
  void know_bodies(const client::BufferedSnapshot& newest);
  bool follow_body(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
                   std::size_t index);
  bool put_to_sleep(std::size_t index, const protocol::QuantizedBody& received);
  bool wake(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
            std::size_t index);
  bool correct(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
               std::size_t index);
  std::optional<Velocities> mean_velocities(const client::SnapshotBuffer& snapshots,
                                            const client::BufferedSnapshot& newest,
                                            std::size_t index) const;
  bool set_elsewhere(const client::BufferedSnapshot& newest, std::size_t index);
  state::BodyState state_of(std::size_t index) const;
  double seconds(std::int64_t ticks) const;

  sim::Simulation simulation_;
  state::PlayerId player_;
  std::deque<state::TickCommands> commands_;            // commands that are not applied yet
  std::map<state::PlayerId, state::PlayerInput> held_;  // inputs of the other players
  bool has_overflowed_ = false;
  bool did_commands_ = false;
  std::uint32_t differing_snapshots_ = 0;
  bool has_skipped_ = false;  // the last follow() has left out ticks
  state::Tick followed_;      // tick of the snapshot before the newest one
  std::vector<state::BodyId> teleported_;

  client::MovingIds ids_;             // the moving bodies of the newest snapshot
  std::uint32_t known_revision_ = 0;  // revision of the simulation's world when `ids_` was set
  bool are_same_ = false;             // true if the simulation has exactly these bodies
  // The following lists are indexed like `ids_`.
  std::vector<std::optional<physics::BodyHandle>> handles_;  // null: not in the simulation
  std::vector<state::Tick> agreed_since_;   // tick since which snapshots match the simulation
  std::vector<state::Tick> doubted_until_;  // tick until which is_doubtful() is true
};

}  // namespace jostle::prediction
