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
/// Time beyond two delays to the server for which reports are ignored after the client's tick has
/// moved. They are about inputs from before.
constexpr double stale_report_seconds = 0.1;

/// Maximum of the wanted margin, less than early_input_ticks.
constexpr double most_margin_ticks = 24;
/// Maximum of the burst margin.
constexpr double max_burst_seconds = 0.25;
constexpr std::size_t kept_stocks = 256;
/// Part of the range that comes from rounding to whole ticks.
constexpr double stock_rounding_ticks = 0.75;
/// Share of the highest and of the lowest stocks that the range leaves out.
constexpr double cut_share = 0.03;
/// Number of ticks by which an input may be later than expected and is still sent.
constexpr double useful_slack_ticks = 2;
/// Number of ticks by which the server accepts late actions, and early inputs.
constexpr double late_action_ticks = 12, early_input_ticks = 30;

/// Number of repeated inputs in a packet over a narrow link.
constexpr int most_repeats = 2;
/// Number of ticks for which the server repeats an input by itself.
constexpr std::int64_t implied_ticks = 6;

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

bool has_lasting_actions(const PlayerInput& input) {
  return std::any_of(input.actions.begin(), input.actions.end(), [](const state::Action& action) {
    return action.kind != state::ActionKind::Grab;
  });
}

bool equals_but_tick(const PlayerInput& a, const PlayerInput& b) {
  return a.move_x == b.move_x && a.move_z == b.move_z && a.buttons == b.buttons &&
         a.actions == b.actions && a.custom == b.custom;
}

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
  if (!newest_ || input_ack > highest_ || (input_ack.number == 0 && margin_ticks == 0)) return;
  std::erase_if(unacknowledged_, [&](const PlayerInput& input) { return input.tick <= input_ack; });

  if (newest_report_ && snapshot <= *newest_report_) return;
  newest_report_ = snapshot;
  const bool is_new = std::exchange(received_, input_ack) != input_ack;
  if (ticks_without_reports_ > 0) return;
  const Made& made = made_[input_ack.number % made_.size()];
  if (is_new && made.tick == input_ack && !made.is_repeated)
    measured_delay_ = {made.server_tick, input_ack.number - margin_ticks - made.server_tick};
  note_stock(snapshot, input_ack);
  last_margin_ = margin_ticks;
  mean_margin_ += (reports_ == 0 ? 1 : margin_smoothing) * (margin_ticks - mean_margin_);
  ++reports_;
  ticks_since_report_ = 0;
}

void InputSender::steer(const Link& link, double elapsed_ticks) {
  delay_ticks_ = link.delay_ticks;
  ticks_without_reports_ = std::max(ticks_without_reports_ - elapsed_ticks, 0.0);
  wanted_margin_ = base_margin_ticks + margin_deviations * link.jitter_ticks;
  if (link.loss > some_loss) wanted_margin_ += spare_margin_ticks;
  plain_margin_ = wanted_margin_;
  wanted_margin_ = std::min(wanted_margin_ + burst_margin_, most_margin_ticks);
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
  if (newest_ && *newest_ > now) return_numbers();

  int made = 0;
  Tick next = newest_ ? *newest_ + 1 : now;
  next = std::max(next, state::previous(now, max_inputs_per_advance - 1));
  // Numbers that the client's tick has jumped over are used for their actions.
  for (; !returned_.empty() && returned_.front().tick < next; ++made)
    create_input(returned_.front().tick, link.server_tick);
  for (; next <= now; next = next + 1) {
    if (next.number == 0) continue;
    create_input(next, link.server_tick);
    ++made;
  }
  if (unacknowledged_.size() > protocol::max_inputs_per_packet) {
    unacknowledged_.erase(
        unacknowledged_.begin(),
        unacknowledged_.end() - static_cast<std::ptrdiff_t>(protocol::max_inputs_per_packet));
  }
  return made;
}

void InputSender::create_input(Tick tick, double server_tick) {
  newest_ = tick;
  highest_ = std::max(highest_, tick);
  Made& entry = made_[tick.number % made_.size()];
  entry = {tick, server_tick, entry.tick == tick};
  unacknowledged_.push_back(make_input(tick));
}

/// Records how many ticks of inputs the server had in stock when it sent a snapshot, without the
/// client's lead.
void InputSender::note_stock(Tick snapshot, Tick input_ack) {
  const Made& newest = made_[input_ack.number % made_.size()];
  if (newest.tick != input_ack || newest.is_repeated) return;
  if (std::exchange(pause_input_, input_ack) != input_ack) end_pause();
  pause_.push_back(newest.server_tick - snapshot.number);
}

/// Adds the stocks of a run of snapshots without a new input, unless the run was an outage. Updates
/// the burst margin.
void InputSender::end_pause() {
  if (pause_.empty()) return;
  const double most = max_burst_seconds * ticks_per_second_;
  if (pause_.front() - pause_.back() <= most) {
    for (const double stock : pause_) {
      if (stocks_.size() < kept_stocks) stocks_.push_back(0);
      stocks_[next_stock_++ % kept_stocks] = stock;
    }
  }
  pause_.clear();
  if (stocks_.empty()) return;
  std::vector<double> ordered = stocks_;
  const auto cut = static_cast<std::ptrdiff_t>(cut_share * static_cast<double>(ordered.size()));
  const auto low = ordered.begin() + cut, high = ordered.end() - 1 - cut;
  std::nth_element(ordered.begin(), low, ordered.end());
  const double least = *low;
  std::nth_element(low, high, ordered.end());
  const double range = *high - least;
  burst_margin_ = std::clamp(range - stock_rounding_ticks - plain_margin_, 0.0, most);
}

void InputSender::note_hitch() {
  pause_.clear();
  reports_ = 0;
  ticks_without_reports_ = 2 * delay_ticks_ + stale_report_seconds * ticks_per_second_;
}

bool InputSender::has_waiting_actions(bool counts_sent) const {
  const double oldest = tick_ - wanted_margin_ - late_action_ticks;
  return std::any_of(unacknowledged_.begin(), unacknowledged_.end(), [&](const PlayerInput& input) {
    const bool is_waiting =
        input.tick > newest_sent_ || (counts_sent && input.tick.number >= oldest);
    return is_waiting && has_lasting_actions(input);
  });
}

void InputSender::forget_bursts() {
  pause_.clear();
  stocks_.clear();
  next_stock_ = 0;
  burst_margin_ = 0;
}

std::vector<PlayerInput> InputSender::take_useful(bool is_narrow) {
  // The tick that the server is expected to simulate when a packet sent now arrives
  const double oldest = tick_ - wanted_margin_ - useful_slack_ticks;
  std::vector<PlayerInput> inputs;
  int repeats = 0;
  for (auto input = unacknowledged_.rbegin(); input != unacknowledged_.rend(); ++input) {
    const bool has_actions = has_lasting_actions(*input);
    if (input->tick.number < oldest - (has_actions ? late_action_ticks : 0)) continue;
    const auto before = std::next(input);
    const bool is_same = before != unacknowledged_.rend() && equals_but_tick(*input, *before);
    const bool is_repeat = input->tick <= newest_sent_;
    if (is_narrow && !has_actions && !inputs.empty()) {
      const bool is_implied =
          is_same && input->custom.empty() && inputs.back().tick - input->tick < implied_ticks;
      if (is_implied || (is_repeat && (is_same || repeats >= most_repeats))) continue;
    }
    repeats += is_repeat ? 1 : 0;
    inputs.push_back(*input);
  }
  std::reverse(inputs.begin(), inputs.end());
  if (!inputs.empty()) newest_sent_ = inputs.back().tick;
  return inputs;
}

void InputSender::shift(double ticks) {
  if (!is_set_) return;
  tick_ += ticks;
  pause_.clear();
  measured_delay_.reset();  // measured by the clock from before
  reports_ = 0;  // the newest reports were already about the time after the server's stop
  // Inputs from before may wait in the server for as long as its window is.
  ticks_without_reports_ =
      2 * delay_ticks_ + stale_report_seconds * ticks_per_second_ + early_input_ticks;
}

/// Makes the numbers after the client's tick available again. Their actions are sent with later
/// inputs: those that the server may have received already, with the same number.
void InputSender::return_numbers() {
  const Tick now = tick_at(tick_), sent = newest_sent_;
  newest_ = std::min(*newest_, now);
  newest_sent_ = std::min(newest_sent_, now);
  std::vector<state::Action> unsent;
  std::deque<PlayerInput> returned;
  const auto first = std::find_if(unacknowledged_.begin(), unacknowledged_.end(),
                                  [now](const PlayerInput& input) { return input.tick > now; });
  for (auto input = first; input != unacknowledged_.end(); ++input) {
    std::erase_if(input->actions, [](const state::Action& action) {
      return action.kind == state::ActionKind::Grab;
    });
    if (input->tick > sent) {
      unsent.insert(unsent.end(), input->actions.begin(), input->actions.end());
    } else if (!input->actions.empty()) {
      returned.push_back(std::move(*input));
    }
  }
  unacknowledged_.erase(first, unacknowledged_.end());
  once_.insert(once_.begin(), unsent.begin(), unsent.end());
  returned_.insert(returned_.begin(), returned.begin(), returned.end());
}

PlayerInput InputSender::make_input(Tick tick) {
  PlayerInput input = held_;
  input.tick = tick;
  if (!returned_.empty() && returned_.front().tick == tick) {
    const std::vector<state::Action>& actions = returned_.front().actions;
    const std::size_t free = state::max_actions_per_input - actions.size();
    if (input.actions.size() > free) input.actions.resize(free);
    input.actions.insert(input.actions.end(), actions.begin(), actions.end());
    returned_.pop_front();
  }
  while (!once_.empty() && input.actions.size() < state::max_actions_per_input) {
    input.actions.push_back(once_.front());
    once_.pop_front();
  }
  return input;
}

}  // namespace jostle::client
