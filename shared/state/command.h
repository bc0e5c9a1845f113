#pragma once

#include "shared/state/ids.h"
#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace jostle::state {

/// A player enters: the simulation gives it a body at the next free spawn.
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
  Step = 2,     // while paused: `count` steps of the world
  Rate = 3,     // `count` steps of the world in 100 ticks, up to 1,000: never another dt
  Reset = 4,    // the scene from its start; players keep their seats
  Gravity = 5,  // count 0: off, 1: on
};
inline constexpr std::uint8_t control_kind_count = 6;

struct ControlCommand {
  ControlKind kind = ControlKind::Pause;
  std::uint32_t count = 0;

  bool operator==(const ControlCommand&) const = default;
};

using Command = std::variant<JoinCommand, LeaveCommand, ControlCommand, InputCommand>;

/// All that happens to the world from outside in one tick, in the order in which it is applied:
/// joins, leaves, controls as they came, then inputs by player id. State at tick t is a pure
/// function of the scene, the seed and these lists up to t.
struct TickCommands {
  Tick tick;
  std::vector<Command> commands;

  bool operator==(const TickCommands&) const = default;
};

}  // namespace jostle::state
