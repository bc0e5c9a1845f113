#pragma once

#include "shared/state/ids.h"
#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace jostle::state {

/// A player joins. The simulation creates the player's body at spawn (id − 1) modulo the number of
/// spawns, or beside it if other bodies are there.
struct JoinCommand {
  PlayerId player;
  std::string name;

  bool operator==(const JoinCommand&) const = default;
};

struct LeaveCommand {
  PlayerId player;

  bool operator==(const LeaveCommand&) const = default;
};

struct InputCommand {
  PlayerId player;
  PlayerInput input;

  bool operator==(const InputCommand&) const = default;
};

enum class ControlKind : std::uint8_t {
  Pause = 0,
  Resume = 1,
  Step = 2,     // pauses, and makes `count` more steps, one per tick; at most 600 may be pending
  Rate = 3,     // steps of the world in 100 ticks: `count`, 1 to 1,000; the step length is constant
  Reset = 4,    // restarts the scene; players stay in the game
  Gravity = 5,  // count 0: off, 1: on
};
inline constexpr std::uint8_t control_kind_count = 6;

struct ControlCommand {
  ControlKind kind = ControlKind::Pause;
  std::uint32_t count = 0;

  bool operator==(const ControlCommand&) const = default;
};

using Command = std::variant<JoinCommand, LeaveCommand, ControlCommand, InputCommand>;

/// All external commands of one tick, in the order in which they are applied: first joins, leaves
/// and controls in order of arrival, then inputs in order of player id. The state at tick t is a
/// pure function of the scene, the options and these lists up to t.
struct TickCommands {
  Tick tick;
  std::vector<Command> commands;

  bool operator==(const TickCommands&) const = default;
};

}  // namespace jostle::state
