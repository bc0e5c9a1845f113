#include "client/input_sender.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::client {

using state::PlayerInput;
using state::Tick;

namespace {

/// Input margin without jitter, slightly less than a tick. A key press waits half a tick on average
/// for the next input. The key press therefore takes effect within about one and a half ticks plus
/// the upstream delay.
constexpr double base_margin_ticks = 0.9;
/// Packet loss above which the margin is increased, 0..1.
constexpr double some_loss = 0.02;
/// Increase of the margin. The inputs of a lost packet arrive with the next packet, a tick later.
constexpr double spare_margin_ticks = 0.5;
/// Mean error of the reported margins: the server rounds them down to whole ticks.
constexpr double mean_rounding_ticks = 0.5;
/// Deviations of the mean reported margin up to this value may be rounding errors and start no
/// correction.
constexpr double rounding_slack_ticks = 0.45;
/// Deviation below which a correction ends.
constexpr double corrected_within_ticks = 0.1;
constexpr double margin_deviations = 2;
constexpr double max_rate_change = 0.03;

/// Errors beyond which the client's tick jumps. Late inputs are lost while early ones only add
/// latency, so the jump forwards has a lower limit.
constexpr double jump_ahead_ticks = 4, jump_ahead_seconds = 0.1;
constexpr double jump_back_ticks = 8, jump_back_seconds = 0.25;
/// Each tick number is used only once, so after a jump back the client creates no inputs until its
/// tick exceeds that of the newest input. If the jump is longer than this limit, the server's time
/// has changed, and the numbering restarts.
constexpr std::int64_t renumber_beyond_ticks = 128;

constexpr double correction_per_second = 0.5;
constexpr double max_correction_ticks = 60;
constexpr double margin_smoothing = 1.0 / 8;
constexpr double report_is_fresh_seconds = 0.5;
/// Maximum number of inputs created per call. If the client is further behind, the older ones are
/// skipped.
constexpr int max_inputs_per_advance = 8;

/// Maximum length of a move vector. It is slightly less than the limit of state::PlayerInput, 1, so
/// that rounding does not exceed the limit.
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
    if (action.kind == state::ActionKind::Grab) {
      held_.actions.push_back(action);
    } else if (once_.size() < max_queued_actions) {
      once_.push_back(action);
    } else {
      ++actions_refused_;
    }
  }
}

void InputSender::report(Tick snapshot, Tick input_ack, int margin_ticks) {
  // Ignore acknowledgements of inputs that were never sent. Acknowledgement 0 with margin 0 means
  // that the server has not received any input.
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

  // Learn from the reports only while they are recent and the client's tick is near its target.
  ticks_since_report_ += elapsed_ticks;
  const bool is_fresh = ticks_since_report_ < report_is_fresh_seconds * ticks_per_second_;
  if (reports_ == 0 || !is_fresh || std::abs(error) > 1) return;
  // A shortage within the rounding error of the reports is ignored, because the clock is more
  // accurate. A larger one starts the correction, which continues until the shortage is small.
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
