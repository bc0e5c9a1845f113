#include "api/play/input.h"

#include "api/base/definition.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace jostle::api {

static_assert(JOSTLE_MAX_CUSTOM_BYTES == state::max_custom_bytes);
static_assert(JOSTLE_MAX_ACTIONS == state::max_actions_per_input);
static_assert(JOSTLE_BUTTON_JUMP == state::button_jump);
static_assert(JOSTLE_BUTTON_PULL == state::button_pull);
static_assert(JOSTLE_BUTTON_PUSH == state::button_push);
static_assert(JOSTLE_ACTION_BLAST == static_cast<int>(state::ActionKind::Blast));
static_assert(sizeof(jostle_input::custom) == JOSTLE_MAX_CUSTOM_BYTES);

static_assert(JOSTLE_CONTROL_GRAVITY == static_cast<int>(state::ControlKind::Gravity));

template <>
jostle_input default_of() {
  jostle_input input{};
  input.size = sizeof input;
  return input;
}

state::Action checked_action(const jostle_action& from, const char* name) {
  const auto part = [&](const char* field) { return std::string(name) + field; };
  require_enumerator(from.kind, state::action_kind_count, part(".kind").c_str());
  require_finite(from.point, part(".point").c_str());
  require_finite(from.vector, part(".vector").c_str());
  state::Action action;
  action.kind = static_cast<state::ActionKind>(from.kind);
  action.point = {from.point.x, from.point.y, from.point.z};
  action.vector = {from.vector.x, from.vector.y, from.vector.z};
  const bool needs_body =
      action.kind == state::ActionKind::Push || action.kind == state::ActionKind::Grab;
  if (needs_body) {
    require_integer(from.body_id, 1, UINT32_MAX, part(".body_id").c_str());
  } else {
    require_integer(from.body_id, 0, 0, part(".body_id").c_str());
  }
  action.body = {from.body_id};
  return action;
}

state::PlayerInput checked_input(const jostle_input& from, const char* name) {
  const auto part = [&](const char* field) { return std::string(name) + "->" + field; };
  constexpr double tolerance = 1e-3;
  constexpr std::uint32_t all_buttons =
      JOSTLE_BUTTON_JUMP | JOSTLE_BUTTON_PULL | JOSTLE_BUTTON_PUSH;
  require_range(std::hypot(from.move_x, from.move_z), 0, 1 + tolerance,
                (part("move_x") + " and move_z: the length").c_str(), "");
  require_integer(from.buttons, 0, all_buttons, part("buttons").c_str());
  require_integer(from.custom_size, 0, JOSTLE_MAX_CUSTOM_BYTES, part("custom_size").c_str());
  require_integer(from.action_count, 0, JOSTLE_MAX_ACTIONS, part("action_count").c_str());
  require_integer(from.reserved, 0, 0, part("reserved").c_str());
  state::PlayerInput input;
  input.move_x = std::clamp(from.move_x, -1.0f, 1.0f);
  input.move_z = std::clamp(from.move_z, -1.0f, 1.0f);
  input.buttons = static_cast<std::uint16_t>(from.buttons);
  const auto* const bytes = reinterpret_cast<const std::byte*>(from.custom);
  input.custom.assign(bytes, bytes + from.custom_size);
  for (std::uint32_t i = 0; i < from.action_count; ++i) {
    input.actions.push_back(
        checked_action(from.actions[i], (part("actions[") + std::to_string(i) + "]").c_str()));
  }
  return input;
}

state::ControlCommand checked_control(jostle_control control, std::uint32_t number) {
  constexpr std::uint32_t max_steps = 600, max_rate_percent = 1'000;
  require_enumerator(control, state::control_kind_count, "control");
  switch (control) {
    case JOSTLE_CONTROL_STEP:
      require_integer(number, 1, max_steps, "number");
      break;
    case JOSTLE_CONTROL_RATE:
      require_integer(number, 1, max_rate_percent, "number");
      break;
    case JOSTLE_CONTROL_GRAVITY:
      require_integer(number, 0, 1, "number");
      break;
    default:
      require_integer(number, 0, 0, "number");
  }
  return {static_cast<state::ControlKind>(control), number};
}

jostle_input to_c(const state::PlayerInput& from) {
  auto input = default_of<jostle_input>();
  input.move_x = from.move_x;
  input.move_z = from.move_z;
  input.buttons = from.buttons;
  input.custom_size = static_cast<std::uint32_t>(from.custom.size());
  if (!from.custom.empty()) std::memcpy(input.custom, from.custom.data(), from.custom.size());
  for (const state::Action& action : from.actions) {
    input.actions[input.action_count++] = {static_cast<jostle_action_kind>(action.kind),
                                           action.body.value,
                                           {action.point.x, action.point.y, action.point.z},
                                           {action.vector.x, action.vector.y, action.vector.z}};
  }
  return input;
}

}  // namespace jostle::api

jostle_result jostle_input_init(jostle_input* input, size_t size) {
  return jostle::api::write_default(__func__, input, size);
}
