#include "client/input_sender.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::client {

using state::PlayerInput;
using state::Tick;

namespace {

/// Somewhat less than a tick: with the half tick that a key waits for the next input in the mean, a
/// press is done within one and a half ticks and the way up.
constexpr double base_margin_ticks = 0.9;
/// What a lost packet held comes with the next one, a tick later.
constexpr double some_loss = 0.02, spare_margin_ticks = 0.5;
/// Servers count whole ticks between an input and its own: half a tick less than there is in the
/// mean, and half a tick to either side is no sign of anything.
constexpr double mean_rounding_ticks = 0.5, rounding_slack_ticks = 0.45;
constexpr double corrected_within_ticks = 0.1;
constexpr double margin_deviations = 2;
constexpr double max_rate_change = 0.03;

/// Late inputs are lost, early ones only cost time: so forward sooner than back.
constexpr double jump_ahead_ticks = 4, jump_ahead_seconds = 0.1;
constexpr double jump_back_ticks = 8, jump_back_seconds = 0.25;
/// Numbers are not used twice, so after a jump back the client waits; beyond this it is another
/// time altogether and the numbers start over.
constexpr std::int64_t renumber_beyond_ticks = 128;

constexpr double correction_per_second = 0.5;
constexpr double max_correction_ticks = 60;
constexpr double margin_smoothing = 1.0 / 8;
constexpr double report_is_fresh_seconds = 0.5;
/// Behind by more client ticks than this in one call, the rest is skipped: their time is over.
constexpr int max_inputs_per_advance = 8;

/// Decoders refuse a move longer than 1; rounding may not push it there.
constexpr float max_move_length = 0.999999f;

Tick tick_at(double tick) {
  constexpr double last = 4'294'967'000.0;
  return {static_cast<std::uint32_t>(std::clamp(tick, 0.0, last))};
}

}  // namespace

void InputSender::set_input(const PlayerInput& input) {
  JOSTLE_ASSERT(std::isfinite(input.move_x) && std::isfinite(input.move_z));
  JOSTLE_ASSERT(input.actions.size() <= state::max_actions_per_input);
  JOSTLE_ASSERT(input.custom.size() <= state::max_custom_bytes);
  held_ = input;
  held_.actions.clear();
  const float length = std::sqrt(held_.move_x * held_.move_x + held_.move_z * held_.move_z);
  if (length > max_move_length) {
    held_.move_x *= max_move_length / length;
    held_.move_z *= max_move_length / length;
  }
  for (const state::Action& action : input.actions) {
    JOSTLE_ASSERT(math::is_finite(action.point) && math::is_finite(action.vector));
    if (action.kind == state::ActionKind::Drag) {
      held_.actions.push_back(action);
    } else if (once_.size() < max_queued_actions) {
      once_.push_back(action);
    } else {
      ++actions_refused_;
    }
  }
}

void InputSender::report(Tick snapshot, Tick input_ack, int margin_ticks) {
  // An acknowledgement of what was never sent is nonsense; before the first input nothing is said.
  if (!newest_ || input_ack > *newest_ || (input_ack.number == 0 && margin_ticks == 0)) return;
  std::erase_if(unacknowledged_, [&](const PlayerInput& input) { return input.tick <= input_ack; });

  if (newest_report_ && snapshot <= *newest_report_) return;
  newest_report_ = snapshot;
  last_margin_ = margin_ticks;
  mean_margin_ += (reports_ == 0 ? 1 : margin_smoothing) * (margin_ticks - mean_margin_);
  ++reports_;
  ticks_since_report_ = 0;
}

void InputSender::steer(const Link& link, double elapsed_ticks) {
  wanted_margin_ = base_margin_ticks + margin_deviations * link.jitter_ticks;
  if (link.loss > some_loss) wanted_margin_ += spare_margin_ticks;
  const auto target = [&] {
    return link.server_tick + link.delay_ticks + wanted_margin_ + correction_;
  };
  const double error = target() - (tick_ + elapsed_ticks);
  const double ahead = std::max(jump_ahead_ticks, jump_ahead_seconds * ticks_per_second_);
  const double back = std::max(jump_back_ticks, jump_back_seconds * ticks_per_second_);
  if (!is_set_ || error > ahead || error < -back) {
    tick_ = target();
    is_set_ = true;
    return;
  }

  const double change = max_rate_change * elapsed_ticks;
  tick_ += elapsed_ticks + std::clamp(error, -change, change);

  // Learn only when the reports are of the course that is steered now.
  ticks_since_report_ += elapsed_ticks;
  const bool is_fresh = ticks_since_report_ < report_is_fresh_seconds * ticks_per_second_;
  if (reports_ == 0 || !is_fresh || std::abs(error) > 1) return;
  // Within what the reports can tell, the clock knows better; once it is found wrong, they lead.
  const double shortage = wanted_margin_ - (mean_margin_ + mean_rounding_ticks);
  if (std::abs(shortage) > rounding_slack_ticks) is_correcting_ = true;
  if (std::abs(shortage) < corrected_within_ticks) is_correcting_ = false;
  if (!is_correcting_) return;
  correction_ += correction_per_second * elapsed_ticks / ticks_per_second_ * shortage;
  correction_ = std::clamp(correction_, -max_correction_ticks, max_correction_ticks);
}

int InputSender::advance(const Link& link, double elapsed_ticks) {
  steer(link, elapsed_ticks);
  const Tick now = tick_at(tick_);
  if (newest_ && *newest_ - now > renumber_beyond_ticks) {
    newest_.reset();
    newest_report_.reset();
    unacknowledged_.clear();
  }

  int made = 0;
  Tick next = newest_ ? *newest_ + 1 : now;
  next = std::max(next, state::previous(now, max_inputs_per_advance - 1));
  for (; next <= now; next = next + 1) {
    if (next.number == 0) continue;
    newest_ = next;
    unacknowledged_.push_back(make_input(next));
    ++made;
  }
  if (unacknowledged_.size() > protocol::max_inputs_per_packet) {
    unacknowledged_.erase(
        unacknowledged_.begin(),
        unacknowledged_.end() - static_cast<std::ptrdiff_t>(protocol::max_inputs_per_packet));
  }
  return made;
}

PlayerInput InputSender::make_input(Tick tick) {
  PlayerInput input = held_;
  input.tick = tick;
  while (!once_.empty() && input.actions.size() < state::max_actions_per_input) {
    input.actions.push_back(once_.front());
    once_.pop_front();
  }
  return input;
}

}  // namespace jostle::client
