#include "server/input_buffer.h"

#include "shared/base/planted.h"

#include <algorithm>
#include <utility>

namespace jostle::server {
namespace {

bool lasts_one_tick(const state::Action& action) {
  return action.kind != state::ActionKind::Grab;
}

}  // namespace

InputCounters& InputCounters::operator+=(const InputCounters& other) {
  accepted += other.accepted;
  late += other.late;
  duplicate += other.duplicate;
  early += other.early;
  missing += other.missing;
  actions_lost += other.actions_lost;
  return *this;
}

void InputBuffer::accept(const state::PlayerInput& input, state::Tick last_applied) {
  // Packets repeat inputs in tick order, so an input that is not newer than the newest one was
  // usually received before. If this server has skipped ticks, the client has used the number
  // again.
  if (input.tick <= newest_ && !base::is_planted("deduplication-off")) {
    ++counters_.duplicate;
    if (input.tick <= last_applied) return;
    state::PlayerInput& waiting = waiting_[input.tick];
    if (waiting != input) waiting = input;
    return;
  }
  const std::int64_t margin = input.tick - (last_applied + 1);
  margin_ticks_ = static_cast<std::int16_t>(std::clamp<std::int64_t>(margin, -1000, 1000));
  if (margin > early_window_ticks) {
    ++counters_.early;  // left unacknowledged, so that the client sends it again later
    return;
  }
  newest_ = input.tick;
  if (margin >= 0) {
    ++counters_.accepted;
    waiting_.emplace(input.tick, input);
    return;
  }
  ++counters_.late;
  if (-margin > input_window_ticks) return;
  for (const state::Action& action : input.actions) {
    if (!lasts_one_tick(action)) continue;
    if (late_actions_.size() < max_late_actions) {
      late_actions_.push_back(action);
    } else {
      ++counters_.actions_lost;
    }
  }
}

state::PlayerInput InputBuffer::take(state::Tick tick) {
  const auto it = waiting_.find(tick);
  if (it != waiting_.end()) {
    last_ = std::move(it->second);
    repeated_ = 0;
  } else if (repeated_ < max_repeated_ticks) {
    ++counters_.missing;
    ++repeated_;
    std::erase_if(last_.actions, lasts_one_tick);
    last_.custom.clear();
  } else {
    last_ = {};
  }
  waiting_.erase(waiting_.begin(), waiting_.upper_bound(tick));

  state::PlayerInput input = last_;
  input.tick = tick;
  // Put grabs last, so that they never displace late actions: the client sends a grab again in
  // every tick.
  const auto drags =
      std::stable_partition(input.actions.begin(), input.actions.end(), lasts_one_tick);
  const auto own = static_cast<std::size_t>(drags - input.actions.begin());
  const auto taken = static_cast<std::ptrdiff_t>(
      std::min(state::max_actions_per_input - own, late_actions_.size()));
  input.actions.insert(drags, late_actions_.begin(), late_actions_.begin() + taken);
  late_actions_.erase(late_actions_.begin(), late_actions_.begin() + taken);
  if (input.actions.size() > state::max_actions_per_input) {
    input.actions.resize(state::max_actions_per_input);
  }
  return input;
}

}  // namespace jostle::server
