#include "server/baseline_predictor.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace jostle::server {

void BaselinePredictor::note(const state::TickCommands& commands) {
  TickInputs inputs{commands.tick, {}};
  for (const state::Command& command : commands.commands) {
    if (const auto* input = std::get_if<state::InputCommand>(&command))
      inputs.held[input->player] = protocol::context::held(input->input);
  }
  inputs_.push_back(std::move(inputs));
  while (inputs_.size() > static_cast<std::size_t>(protocol::context::max_predicted_ticks))
    inputs_.pop_front();
}

protocol::context::QuantizedInput BaselinePredictor::held_in(state::Tick tick,
                                                             state::PlayerId player) const {
  const auto inputs =
      std::lower_bound(inputs_.begin(), inputs_.end(), tick,
                       [](const TickInputs& one, state::Tick wanted) { return one.tick < wanted; });
  if (inputs == inputs_.end() || inputs->tick != tick) return {};
  const auto held = inputs->held.find(player);
  return held == inputs->held.end() ? protocol::context::QuantizedInput{} : held->second;
}

std::optional<BaselinePredictor::Expected> BaselinePredictor::expect(
    const protocol::context::BaselinePair& references, const protocol::QuantizedSnapshot& now,
    const SnapshotHistory& history) const {
  if (references.previous.number == 0 ||
      now.tick - references.previous > protocol::context::max_predicted_ticks)
    return std::nullopt;
  const SharedSnapshot baseline = history.find(references.baseline);
  const SharedSnapshot previous = history.find(references.previous);
  if (!baseline || !previous || baseline->ids != now.ids || previous->ids != now.ids)
    return std::nullopt;
  Expected expected;
  for (const state::PlayerId player : prediction_baseline_.steered()) {
    for (state::Tick tick = references.previous + 1; tick <= now.tick; tick = tick + 1)
      expected.inputs.push_back(held_in(tick, player));
  }
  expected.bodies = prediction_baseline_.predict_baseline(references, now.tick, baseline->bodies,
                                                          previous->bodies, expected.inputs);
  if (expected.bodies.size() != now.bodies.size()) return std::nullopt;
  return expected;
}

}  // namespace jostle::server
