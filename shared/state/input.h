#pragma once

#include "shared/math/vec3.h"
#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::state {

inline constexpr std::size_t max_actions_per_input = 4;
inline constexpr std::size_t max_custom_bytes = 32;

/// An action of a player in one tick.
enum class ActionKind : std::uint8_t {
  Push = 0,   // impulse `vector` (N·s, world frame) at `point` (body frame) of `body`
  Shoot = 1,  // launches a ball from `point` (world frame) at velocity `vector` (m/s, world frame)
  // pulls `point` (body frame) of `body` towards `vector` (world frame) for this tick. Clients send
  // it in every tick of a grab, so that the loss of a client releases the body.
  Grab = 2,
  Spawn = 3,  // launches a crate, with the parameters of Shoot
  Blast = 4,  // pushes nearby bodies away from `point` (world frame) by up to `vector.x` m/s
};
inline constexpr std::uint8_t action_kind_count = 5;
/// Returns true if the action creates a body.
constexpr bool makes_body(ActionKind kind) {
  return kind == ActionKind::Shoot || kind == ActionKind::Spawn;
}

struct Action {
  ActionKind kind = ActionKind::Push;
  BodyId body;  // Push and Grab; otherwise null
  math::Vec3 point;
  math::Vec3 vector;

  bool operator==(const Action&) const = default;
};

/// Bits of PlayerInput::buttons.
inline constexpr std::uint16_t button_jump = 1U << 0;
inline constexpr std::uint16_t button_pull = 1U << 1;  // attracts bodies (the scene's pull field)
inline constexpr std::uint16_t button_push = 1U << 2;  // repels bodies (the scene's push field)

/// The input of one player for one tick. Control commands are separate (see ControlCommand).
struct PlayerInput {
  Tick tick;  // tick at which the input is applied
  /// Desired direction of travel in the world's horizontal plane. Each component is in [−1, 1], the
  /// length at most 1.
  float move_x = 0, move_z = 0;
  std::uint16_t buttons = 0;
  std::vector<Action> actions;    // at most max_actions_per_input actions
  std::vector<std::byte> custom;  // input of rules that a game adds, at most max_custom_bytes

  bool operator==(const PlayerInput&) const = default;
};

}  // namespace jostle::state
