#include "tools/load/input_mix.h"

#include <algorithm>

namespace jostle::load {
namespace {

// Number of ticks without a change between two changes of the input: `least_ticks` plus a random
// number below `more_ticks`.
constexpr std::uint32_t least_ticks = 10, more_ticks = 50;
constexpr float most_move = 0.7f;  // maximum of each axis, so that the length of both is at most 1
// Probabilities at each change of the input.
constexpr float jumps = 0.2f, pushes = 0.5f, pushes_field = 0.1f, pulls = 0.4f;
constexpr float least_lift = 20.0f, most_lift = 150.0f;  // N s

}  // namespace

std::optional<InputMix> parse_input_mix(std::string_view name) {
  const auto found = std::find(input_mix_names.begin(), input_mix_names.end(), name);
  if (found == input_mix_names.end()) return std::nullopt;
  return static_cast<InputMix>(found - input_mix_names.begin());
}

std::optional<state::PlayerInput> InputGenerator::next(std::span<const state::BodyId> pushable) {
  if (mix_ == InputMix::Idle) return std::nullopt;
  if (ticks_left_ > 0) {
    --ticks_left_;
    return std::nullopt;
  }
  ticks_left_ = least_ticks + random_.below(more_ticks);
  state::PlayerInput input;
  if (mix_ != InputMix::Push) {
    input.move_x = random_.between(-most_move, most_move);
    input.move_z = random_.between(-most_move, most_move);
    if (random_.chance(jumps)) input.buttons |= state::button_jump;
  }
  if (mix_ != InputMix::Move) {
    if (random_.chance(pushes_field)) input.buttons |= state::button_push;
    if (random_.chance(pulls)) input.buttons |= state::button_pull;
    if (!pushable.empty() && random_.chance(pushes)) {
      const state::BodyId body =
          pushable[random_.below(static_cast<std::uint32_t>(pushable.size()))];
      const float lift = random_.between(least_lift, most_lift);
      input.actions.push_back({state::ActionKind::Push, body, {}, {0.0f, lift, 0.0f}});
    }
  }
  return input;
}

}  // namespace jostle::load
