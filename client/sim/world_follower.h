#pragma once

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
#include <vector>

namespace jostle::prediction {

/// Local simulation that follows the server's near the player, snapshot by snapshot.
///
/// Snapshots have rounded poses and no velocities. This class therefore simulates the same ticks as
/// the server, with all known inputs. It keeps the result as long as the snapshots do not
/// contradict it, so velocities and contacts stay exact. A body that deviates is moved and
/// accelerated by the smallest amount that matches the snapshot. Bodies out of reach are put to
/// sleep, so that the cost of a step depends on nearby bodies only.
class WorldFollower {
 public:
  /// Maximum number of ticks to catch up step by step; a larger gap is skipped.
  static constexpr std::uint32_t max_steps = 32;
  /// Number of ticks for which the set of bodies may differ from the server's, because commands may
  /// still arrive.
  static constexpr std::uint32_t patience_ticks = 60;
  static constexpr std::size_t max_held_commands = 1'024;

  /// Begins at `start`, the state of the server's simulation after some tick.
  WorldFollower(sim::Simulation start, state::PlayerId player);

  void handle_commands(state::TickCommands commands);
  /// Returns the commands to assume for ticks after the last known one: the inputs that other
  /// players hold.
  std::vector<state::Command> others() const;

  /// Advances to the tick of a newer snapshot. Bodies within `reach` (m) of the player's own body
  /// are corrected to match it. Returns true if predictions from the earlier state are invalid: a
  /// body was corrected, a command from the server was applied, or ticks were skipped.
  bool follow(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
              const InputHistory& inputs, double reach);

  /// Returns true if the set of bodies has differed from the server's for too long, or commands
  /// were lost.
  bool has_diverged() const { return strange_ticks_ > patience_ticks || has_overflowed_; }
  /// Returns true if a body has recently deviated from its simulation.
  bool is_doubtful(state::BodyId id) const;
  const sim::Simulation& simulation() const { return simulation_; }
  state::BodyId own_body() const { return simulation_.player_body(player_); }
  /// Returns the radius around its centre within which the own body can act, m.
  double own_reach() const;
  double own_speed() const;

 private:
  bool step_to(state::Tick tick, const InputHistory& inputs);
  state::TickCommands commands_of(state::Tick tick, const InputHistory& inputs);
  void handle_input(const state::InputCommand& received, std::vector<state::Action>& own_shots);
  void know_bodies(const client::BufferedSnapshot& newest);
  bool follow_body(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
                   std::size_t index);
  bool put_to_sleep(std::size_t index, const protocol::QuantizedBody& received);
  bool wake(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
            std::size_t index);
  bool correct(const client::BufferedSnapshot& newest, std::size_t index);
  state::BodyState state_of(std::size_t index) const;
  double seconds(std::int64_t ticks) const;

  sim::Simulation simulation_;
  state::PlayerId player_;
  std::deque<state::TickCommands> commands_;            // commands that are not applied yet
  std::map<state::PlayerId, state::PlayerInput> held_;  // inputs of the other players
  bool has_overflowed_ = false;
  bool did_commands_ = false;
  std::uint32_t strange_ticks_ = 0;

  /// Bodies of the snapshots by index in `ids_`: their handles here, and since when the snapshots
  /// have agreed with the simulation.
  client::MovingIds ids_;
  std::uint32_t known_revision_ = 0;
  bool are_same_ = false;
  std::vector<std::optional<physics::BodyHandle>> handles_;
  std::vector<state::Tick> agreed_since_;
  std::vector<state::Tick> doubted_until_;
};

}  // namespace jostle::prediction
