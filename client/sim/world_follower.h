#pragma once

#include "client/sim/own_inputs.h"
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

/// A simulation that goes along with a server's, snapshot by snapshot, where its player is.
///
/// Snapshots round poses and tell no velocities. So it takes the same steps as the server, with the
/// inputs that it knows of, and keeps what comes of them for as long as the snapshots do not
/// contradict: velocities, contacts and all stay exact. What is contradicted is moved and sped up
/// by as little as the snapshot demands. Beyond the player's reach nothing moves, so that a step
/// costs what is near.
class WorldFollower {
 public:
  /// What is farther behind than this is not made up for step by step.
  static constexpr std::uint32_t max_steps = 32;
  /// For so long another set of bodies than the server's may be one that is about to follow.
  static constexpr std::uint32_t patience_ticks = 60;
  static constexpr std::size_t max_held_commands = 1'024;

  /// `start` is the server's simulation at some tick.
  WorldFollower(sim::Simulation start, state::PlayerId player);

  void take_commands(state::TickCommands commands);
  /// What goes on in the ticks after the last that is known, as far as anyone here knows: what the
  /// others hold.
  std::vector<state::Command> others() const;

  /// Goes on to the tick of a snapshot that is newer. Bodies within `reach` (m) of the player's own
  /// follow it. True when what was known is not what came.
  bool follow(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
              const OwnInputs& inputs, double reach);

  /// There are other bodies here than in the server, or too much has been missed.
  bool has_lost_track() const { return strange_ticks_ > patience_ticks || has_overflown_; }
  /// Whether a body has lately been found elsewhere than it should be.
  bool is_doubtful(state::BodyId id) const;
  const sim::Simulation& simulation() const { return simulation_; }
  state::BodyId own_body() const { return simulation_.player_body(player_); }
  /// How far the own body can act, from its middle.
  double own_reach() const;
  double own_speed() const;

 private:
  bool step_to(state::Tick tick, const OwnInputs& inputs);
  state::TickCommands commands_of(state::Tick tick, const OwnInputs& inputs);
  void take_input(const state::InputCommand& told, std::vector<state::Action>& own_shots);
  void know_bodies(const client::BufferedSnapshot& newest);
  bool follow_body(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
                   std::size_t index);
  bool let_rest(std::size_t index, const protocol::QuantizedBody& told);
  bool wake(const client::SnapshotBuffer& snapshots, const client::BufferedSnapshot& newest,
            std::size_t index);
  bool correct(const client::BufferedSnapshot& newest, std::size_t index);
  state::BodyState state_of(std::size_t index) const;
  double seconds(std::int64_t ticks) const;

  sim::Simulation simulation_;
  state::PlayerId player_;
  std::deque<state::TickCommands> commands_;            // not done yet
  std::map<state::PlayerId, state::PlayerInput> held_;  // by the others
  bool has_overflown_ = false;
  bool did_commands_ = false;
  std::uint32_t strange_ticks_ = 0;

  /// The bodies of the snapshots, by index in `ids_`: which they are here, and since when nothing
  /// has contradicted what is known of them.
  client::MovingIds ids_;
  std::uint32_t known_revision_ = 0;
  bool are_same_ = false;
  std::vector<std::optional<physics::BodyHandle>> handles_;
  std::vector<state::Tick> agreed_since_;
  std::vector<state::Tick> doubted_until_;
};

}  // namespace jostle::prediction
