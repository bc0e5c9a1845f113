#include "client/sim/input_history.h"

#include <algorithm>

namespace jostle::prediction {

void InputHistory::note(std::span<const state::PlayerInput> inputs) {
  for (const state::PlayerInput& input : inputs) {
    while (!inputs_.empty() && inputs_.back().tick >= input.tick)
      inputs_.pop_back();
    inputs_.push_back(input);
    std::erase_if(inputs_.back().actions,
                  [](const state::Action& action) { return state::makes_body(action.kind); });
    if (inputs_.size() > max_kept) inputs_.pop_front();
  }
}

std::optional<state::PlayerInput> InputHistory::at(state::Tick tick) const {
  const auto input = std::lower_bound(
      inputs_.begin(), inputs_.end(), tick,
      [](const state::PlayerInput& one, state::Tick wanted) { return one.tick < wanted; });
  if (input == inputs_.end() || input->tick != tick) return std::nullopt;
  return *input;
}

}  // namespace jostle::prediction
