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

/// What a player does to the world at a point, within one tick.
enum class ActionKind : std::uint8_t {
  Push = 0,   // impulse `vector` (N·s, world frame) at `point` (body frame) of `body`
  Shoot = 1,  // a ball from `point` (world frame) with velocity `vector` (m/s, world frame)
  Drag = 2,   // pulls `point` (body frame) of `body` towards `vector` (world frame), for this tick;
              // a drag lasts as long as its action is sent, so a lost client lets go
  Spawn = 3,  // as Shoot, a crate
  Blast = 4,  // drives what is near away from `point` (world frame): `vector.x` m/s in the middle
};
inline constexpr std::uint8_t action_kind_count = 5;
/// Whether there is a body more after it.
constexpr bool makes_body(ActionKind kind) {
  return kind == ActionKind::Shoot || kind == ActionKind::Spawn;
}

struct Action {
  ActionKind kind = ActionKind::Push;
  BodyId body;  // of Push and Drag, else null
  math::Vec3 point;
  math::Vec3 vector;

  bool operator==(const Action&) const = default;
};

/// Bits of PlayerInput::buttons.
inline constexpr std::uint16_t button_jump = 1U << 0;
inline constexpr std::uint16_t button_pull = 1U << 1;  // katamari: attract what is near
inline constexpr std::uint16_t button_push = 1U << 2;  // katamari: repel what is near

/// What one player does in one tick: everything that a client can do to the world.
struct PlayerInput {
  Tick tick;  // the tick at which it is to be applied
  /// Wanted direction of travel in the world's horizontal plane, each in [−1, 1], at most 1 long.
  float move_x = 0, move_z = 0;
  std::uint16_t buttons = 0;
  std::vector<Action> actions;    // at most max_actions_per_input
  std::vector<std::byte> custom;  // at most max_custom_bytes, for rules that a game adds

  bool operator==(const PlayerInput&) const = default;
};

}  // namespace jostle::state
