#include "server/rate_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::server {
namespace {

/// Length of a sample, which stores the lowest round-trip time within it. Also the minimum interval
/// between two updates of the rate.
constexpr std::int64_t sample_us = 50'000;
constexpr std::int64_t samples_kept_us = 10'000'000;
// Window of the recent round-trip time, and its minimum number of samples
constexpr std::int64_t recent_us = 150'000;
constexpr std::size_t recent_samples = 3;
constexpr std::int64_t max_judge_us = 100'000;  // maximum interval between two updates of the rate
/// Time without acknowledgements of what was sent that counts as silence.
constexpr std::int64_t silence_us = 1'000'000;
constexpr std::int64_t sent_kept_us = 4'000'000;
/// Number of usual gaps between two acknowledgements that the patience contains in addition, and
/// the longest gap that counts.
constexpr double waited_gaps = 3, longest_waited_gap_us = 250'000;
/// Time by which an acknowledgement takes longer than the round trip of the path, without queues:
/// the ticks of the server and the frames of the client.
constexpr double acknowledgement_us = 40'000;
/// Size of a datagram with a short snapshot, and the longest time for which the transmission of a
/// longer one counts.
constexpr double usual_datagram_bytes = 150, most_transmission_us = 25'000;
/// Window of the rate of arrival, and its minimum.
constexpr std::int64_t arrival_window_us = 1'000'000, least_arrival_window_us = 200'000;
/// Time after which the rate of arrival measures the capacity while a deep queue is emptied.
constexpr std::int64_t least_capacity_window_us = 500'000;

// The queueing delay counts as a queue if it exceeds all of the next three limits.
constexpr double max_queue_us = 30'000;
// Fraction of the lowest round-trip time, but at most this time.
constexpr double max_queue_share = 0.25, max_shared_queue_us = 60'000;
constexpr double jitter_factor = 2;  // multiple of the mean jitter
constexpr double deep_queue_us = 250'000;
/// Duration after which a queue is probed if less is sent than allowed.
constexpr std::int64_t persistent_us = 600'000;
/// Pause of a probe, in multiples of the queue, and its limits. The next probe begins at the
/// earliest after `probe_interval_us`.
constexpr double pause_queues = 1.5;
constexpr std::int64_t least_pause_us = 50'000, most_pause_us = 150'000;
constexpr std::int64_t probe_interval_us = 3'000'000;
/// Share of the pause by which an own queue is shorter after a probe.
constexpr double drained_share = 0.5;
// A queue is not ours if it keeps the share `unchanged_share` of its length for `others_us` while
// less than `low_share` of the rate of arrival is sent.
constexpr double low_share = 0.6, unchanged_share = 0.85, others_us = 1e6;
/// Share of the rate above which the rate counts as used up.
constexpr double used_share = 0.7;
/// Fraction by which the estimate of the link's own loss approaches a lower loss, per update.
constexpr double own_loss_share = 0.02;
/// Time after the first acknowledgement from which on trials begin.
constexpr std::int64_t first_trial_us = 2'000'000;

// Factors that lower the rate.
constexpr double lowering = 0.85;      // at a queue
constexpr double deep_lowering = 0.5;  // at a queue above deep_queue_us
constexpr double most_random_loss = 0.5;
constexpr double after_deep = 0.9;       // share of the capacity after a deep queue
constexpr double silent_lowering = 0.5;  // without acknowledgements

// Growth of the rate after its first limit, as fractions of the rate.
constexpr double growth_per_second = 0.1;   // right after the rate was lowered
constexpr double growth_per_second2 = 0.1;  // increase of the growth per second without a limit
constexpr double most_growth_per_second = 1;
constexpr double most_growth = 1.1;  // maximum growth factor per update
// Near the rate at which a queue built up last, the rate grows slowly for a while, so that it stays
// close to the capacity of the link.
constexpr double near_limit_growth = 0.02, near_limit_from = 0.9, near_limit_to = 1.2;
constexpr double near_limit_seconds = 10;
/// At less, the rate of arrival is that of sending, and not the capacity of the link.
constexpr double least_limit = 1.5 * RateController::min_bytes_per_second;
constexpr double most_ahead = 2;  // the rate grows only below this multiple of the rate of arrival
// The queue that may build up until a growth beyond the capacity has an effect on the rate: a round
// trip and the delay of the measurement. It becomes larger with the time without a limit.
constexpr double overshoot_seconds = 0.03, overshoot_per_second = 0.003;
constexpr double measuring_seconds = 0.25;

}  // namespace

RateController::RateController(double most_bytes_per_second)
    : most_(std::max(most_bytes_per_second, min_bytes_per_second)),
      rate_(std::min(first_bytes_per_second, most_)) {}

void RateController::set_rate(double bytes_per_second) {
  rate_ = std::clamp(bytes_per_second, min_bytes_per_second, most_);
}

void RateController::note_sent(state::Tick tick, std::uint32_t parts, std::uint32_t bytes,
                               bool is_rate_limited, std::int64_t now_us) {
  if (!unanswered_since_us_) unanswered_since_us_ = now_us;
  sent_.push_back({tick, now_us, parts, 0, bytes, is_rate_limited});
  while (now_us - sent_.front().at_us > sent_kept_us)
    sent_.pop_front();
}

void RateController::note_shared(state::Tick tick, double bytes) {
  if (!sent_.empty() && sent_.back().tick == tick)
    sent_.back().bytes += static_cast<std::uint32_t>(bytes);
}

void RateController::note_acknowledged(state::Tick tick, std::uint32_t parts, std::int64_t now_us) {
  const auto sent =
      std::lower_bound(sent_.begin(), sent_.end(), tick,
                       [](const Sent& entry, state::Tick wanted) { return entry.tick < wanted; });
  if (sent == sent_.end() || sent->tick != tick) return;
  if (!first_acknowledged_us_) first_acknowledged_us_ = now_us;
  if (acknowledged_us_ && now_us > *acknowledged_us_) {
    const double gap_us =
        std::min(static_cast<double>(now_us - *acknowledged_us_), longest_waited_gap_us);
    acknowledgement_gap_us_ += (gap_us - acknowledgement_gap_us_) / 16;
  }
  acknowledged_us_ = now_us;
  const std::uint32_t before = sent->acknowledged;
  sent->acknowledged = std::min(sent->acknowledged + parts, sent->parts);
  const double bytes = static_cast<double>(sent->bytes) + sent->other_bytes;
  note_arrived(bytes * (sent->acknowledged - before) / sent->parts, now_us);
  unanswered_since_us_.reset();
  // Over a narrow link, the transmission of a long datagram is no queue.
  const double longer_us =
      sent->parts == 1 ? std::max(sent->bytes - usual_datagram_bytes, 0.0) / rate_ * 1e6 : 0;
  note_round_trip(
      static_cast<double>(now_us - sent->at_us) - std::min(longer_us, most_transmission_us),
      now_us);
}

void RateController::note_reliable(double bytes, std::optional<double> round_trip_us,
                                   std::int64_t now_us) {
  note_arrived(bytes, now_us);
  if (!round_trip_us) return;
  if (!first_acknowledged_us_) first_acknowledged_us_ = now_us;
  note_round_trip(*round_trip_us, now_us);
}

void RateController::note_round_trip(double round_trip_us, std::int64_t now_us) {
  if (!samples_.empty() && now_us / sample_us == samples_.back().at_us / sample_us) {
    Sample& sample = samples_.back();
    sample.round_trip_us = std::min(sample.round_trip_us, round_trip_us);
  } else {
    samples_.push_back({now_us, round_trip_us});
  }
  if (last_round_trip_us_)
    jitter_us_ += (std::abs(round_trip_us - *last_round_trip_us_) - jitter_us_) / 16;
  last_round_trip_us_ = round_trip_us;
  const double smooth = smooth_round_trip_us_.value_or(round_trip_us);
  smooth_round_trip_us_ = smooth + (round_trip_us - smooth) / 16;
}

void RateController::note_arrived(double bytes, std::int64_t now_us) {
  if (bytes <= 0) return;
  arrived_.push_back({now_us, bytes});
  while (now_us - arrived_.front().at_us > arrival_window_us)
    arrived_.pop_front();
}

/// Returns the rate at which data has arrived lately, and not before `since_us`; 0 if it is
/// unknown.
double RateController::arrived_per_second(std::int64_t now_us, std::int64_t since_us) const {
  auto arrived = arrived_.begin();
  while (arrived != arrived_.end() && arrived->at_us < since_us)
    ++arrived;
  if (arrived == arrived_.end() || now_us - arrived->at_us < least_arrival_window_us) return 0;
  const auto window_us = static_cast<double>(now_us - arrived->at_us);
  double bytes = 0;
  while (++arrived != arrived_.end())
    bytes += arrived->bytes;
  return bytes * 1e6 / window_us;
}

void RateController::note_ping(std::int64_t client_send_us, std::int64_t now_us) {
  // The difference of two times from a client may overflow.
  const double delay_us = static_cast<double>(now_us) - static_cast<double>(client_send_us);
  if (!pings_.empty() && now_us / sample_us == pings_.back().at_us / sample_us) {
    pings_.back().round_trip_us = std::min(pings_.back().round_trip_us, delay_us);
  } else {
    pings_.push_back({now_us, delay_us});
  }
  while (now_us - pings_.front().at_us > samples_kept_us)
    pings_.pop_front();
  double lowest = delay_us;
  for (const Sample& ping : pings_)
    lowest = std::min(lowest, ping.round_trip_us);
  queue_up_us_ = std::max(std::min(delay_us, last_ping_us_) - lowest, 0.0);
  last_ping_us_ = delay_us;
}

void RateController::note_hitch(std::int64_t now_us) {
  probe_.reset();
  sent_.clear();
  arrived_.clear();
  cancel_trial(false);
  queued_since_us_.reset();
  last_round_trip_us_.reset();
  unanswered_since_us_.reset();
  judged_us_ = now_us;
}

RateController::Queue RateController::queue(std::int64_t now_us) const {
  Queue found;
  found.is_silent = unanswered_since_us_ && now_us - *unanswered_since_us_ > silence_us;
  if (samples_.empty()) return found;
  double lowest = samples_.back().round_trip_us, recent = lowest;
  std::size_t newer = 0;
  for (auto sample = samples_.rbegin(); sample != samples_.rend(); ++sample, ++newer) {
    lowest = std::min(lowest, sample->round_trip_us);
    if (newer < recent_samples || now_us - sample->at_us <= recent_us)
      recent = std::min(recent, sample->round_trip_us);
  }
  const bool is_path_known = path_round_trip_us_ && first_acknowledged_us_ &&
                             now_us - *first_acknowledged_us_ <= samples_kept_us;
  if (is_path_known) lowest = std::min(lowest, *path_round_trip_us_ + acknowledgement_us);
  found.us = std::max(recent - lowest - queue_up_us_ - others_us_, 0.0);
  found.round_trip_us = lowest;
  found.limit_us = std::max({max_queue_us, std::min(max_queue_share * lowest, max_shared_queue_us),
                             jitter_factor * jitter_us_});
  return found;
}

RateController::Delivery RateController::delivery(std::int64_t now_us) const {
  Delivery sum;
  const double late_us = smooth_round_trip_us_.value_or(0) + waited_gaps * acknowledgement_gap_us_;
  const std::int64_t until = now_us - patience_us - static_cast<std::int64_t>(late_us);
  const auto is_later = [](std::int64_t us, const Sent& sent) { return us < sent.at_us; };
  auto sent = std::upper_bound(sent_.begin(), sent_.end(), until - delivery_window_us, is_later);
  double lost = 0, bursts = 0;
  bool was_lost = false;
  for (; sent != sent_.end() && sent->at_us <= until; ++sent) {
    const bool is_lost = sent->acknowledged == 0;
    lost += is_lost ? 1 : 0;
    bursts += is_lost && !was_lost ? 1 : 0;
    was_lost = is_lost;
    sum.sent_parts += sent->parts;
    sum.acknowledged_parts += sent->acknowledged;
    sum.sent_bytes += sent->bytes;
    sum.delivered_bytes +=
        sent->parts == 0 ? 0.0
                         : static_cast<double>(sent->bytes) * sent->acknowledged / sent->parts;
  }
  if (bursts > 0) sum.loss_burst = lost / bursts;
  for (auto late = sent_.rbegin(); late != sent_.rend(); ++late) {
    if (now_us - late->at_us > recent_us) break;
    sum.is_rate_limited = sum.is_rate_limited || late->is_rate_limited;
  }
  return sum;
}

void RateController::advance(std::int64_t now_us) {
  while (!samples_.empty() && now_us - samples_.front().at_us > samples_kept_us)
    samples_.pop_front();
  if (!smooth_round_trip_us_) return;
  const auto round_trip_us = static_cast<std::int64_t>(*smooth_round_trip_us_);
  const std::int64_t since_us = now_us - judged_us_;
  if (since_us < std::clamp(round_trip_us, sample_us, max_judge_us)) return;
  judged_us_ = now_us;
  judge(now_us, since_us);
}

void RateController::judge(std::int64_t now_us, std::int64_t since_us) {
  const Delivery recent = delivery(now_us);
  if (recent.sent_parts >= min_parts_to_judge)
    loss_ = 1 - recent.acknowledged_parts / recent.sent_parts;
  const Queue waiting = queue(now_us);
  if (waiting.us == 0) others_us_ = std::max(others_us_ - waiting.limit_us, 0.0);
  if (waiting.is_silent || waiting.us > waiting.limit_us) {
    if (!queued_since_us_) queued_since_us_ = now_us;
    cancel_trial(!waiting.is_silent);
    measure_capacity(now_us);
    return reduce_rate(now_us, waiting, recent);
  }
  queued_since_us_.reset();
  reductions_.reset();
  if (probe_ && may_send(now_us)) probe_.reset();
  if (capacity_ > 0) {
    limit_ = !is_queue_up_ && capacity_ > least_limit ? capacity_ : 0;
    set_rate(std::max(rate_, after_deep * std::exchange(capacity_, 0)));
  }
  // A silence does not measure the capacity of the link. If the client was heard in it, continue
  // with the rate before it, else with half of that.
  if (rate_before_silence_) {
    const bool was_heard = now_us - heard_us_ < silence_us;
    set_rate(std::exchange(rate_before_silence_, {}).value() * (was_heard ? 1 : silent_lowering));
  }
  if (trial_) return continue_trial(now_us, recent);
  if (recent.sent_parts >= min_parts_to_judge) {
    if (is_suspicious(recent) && now_us >= next_trial_us_) {
      // A client that has just joined acknowledges seldom.
      const bool is_new =
          first_acknowledged_us_ && now_us - *first_acknowledged_us_ < first_trial_us;
      if (!is_new && is_worth_a_trial(recent)) trial_ = Trial{.since_us = now_us};
      return;
    }
    // Links improve: let the estimate of the link's own loss fall slowly.
    if (loss_ < own_loss_) own_loss_ += (loss_ - own_loss_) * own_loss_share;
  }
  // Grow only while data arrives at about the current rate, because a rate that was not used up
  // recently is not proven.
  const double arrived =
      std::max(recent.delivered_bytes * 1e6 / delivery_window_us, arrived_per_second(now_us));
  if (recent.is_rate_limited && rate_ < most_ahead * arrived) grow(now_us, since_us);
}

void RateController::reduce_rate(std::int64_t now_us, const Queue& waiting,
                                 const Delivery& recent) {
  // If less is sent than allowed, the queue may be that of other traffic, or a longer route.
  const bool is_deep = waiting.us > std::max(deep_queue_us, 2 * waiting.limit_us);
  const bool is_used_up = recent.is_rate_limited ||
                          (blobs_waited_us_ && now_us - *blobs_waited_us_ <= recent_us) ||
                          recent.sent_bytes * 1e6 / delivery_window_us > used_share * rate_;
  // While acknowledgements wait on their way to here, even a deep queue may be theirs.
  const bool is_down = is_deep && queue_up_us_ <= max_queue_us;
  const bool is_ours = is_used_up || is_down || (!waiting.is_silent && has_probed(now_us, waiting));
  // The effect of a lowered rate shows after a round trip plus the sampling window.
  const bool has_settled =
      now_us - lowered_us_ >
      static_cast<std::int64_t>(*smooth_round_trip_us_) + recent_us + patience_us;
  if (!has_settled || (!is_ours && !waiting.is_silent)) return;
  if (!waiting.is_silent && is_of_others(now_us, waiting, recent)) return;
  if (waiting.is_silent) {
    if (!rate_before_silence_) rate_before_silence_ = rate_;
    set_rate(silent_lowering * rate_);
  } else {
    // The rate of arrival measures the capacity of the link only if the rate was used up. If
    // another sender causes a persistent queue, the rate is limited to the bytes sent now, so that
    // the next reduction has an effect.
    const double per_second = 1e6 / delivery_window_us;
    double arrived = arrived_per_second(now_us);
    // Before there was a queue, the rate of arrival was that of sending, which is a lower bound.
    double through_queue = is_used_up ? arrived_per_second(now_us, *queued_since_us_) : 0;
    if (is_used_up && through_queue == 0) through_queue = arrived;
    limit_ = through_queue > least_limit ? through_queue : 0;
    if (arrived == 0) arrived = recent.delivered_bytes * per_second;
    if (is_deep) {
      if (capacity_ == 0) {
        rate_before_deep_ = rate_;
        is_queue_up_ = queue_up_us_ > max_queue_us;
      }
      capacity_ = std::max(capacity_, std::min(rate_, arrived));
      set_rate(deep_lowering * capacity_);
    } else {
      // Without a deep queue, the link has lost data at random, and not because it was full.
      arrived /= 1 - std::min(loss_, most_random_loss);
      set_rate(is_used_up ? lowering * std::min(rate_, arrived)
                          : std::min(lowering * rate_, recent.sent_bytes * per_second));
    }
    has_met_limit_ = true;
  }
  lowered_us_ = now_us;
}

/// Probes a queue that persists although less is sent than allowed. Returns true if the probe has
/// shown that it is this server's own. If not, ignores a delay of this length from now on.
bool RateController::has_probed(std::int64_t now_us, const Queue& waiting) {
  if (!probe_) {
    if (now_us - *queued_since_us_ < persistent_us || now_us - probed_us_ < probe_interval_us)
      return false;
    const auto pause_us = static_cast<std::int64_t>(pause_queues * waiting.us);
    probe_ = Probe{now_us, std::clamp(pause_us, least_pause_us, most_pause_us), waiting.us};
    probed_us_ = now_us;
    return false;
  }
  // The first acknowledgements of what was sent after the pause.
  const auto seen_us = static_cast<std::int64_t>(*smooth_round_trip_us_) + recent_us;
  if (now_us - probe_->since_us < probe_->pause_us + seen_us) return false;
  const Probe probe = *std::exchange(probe_, std::nullopt);
  double lowest = waiting.us;
  for (const Sample& sample : samples_)
    if (sample.at_us > probe.since_us + probe.pause_us)
      lowest = std::min(lowest,
                        sample.round_trip_us - waiting.round_trip_us - queue_up_us_ - others_us_);
  const double drained = std::min(static_cast<double>(probe.pause_us), probe.queue_us);
  if (probe.queue_us - lowest > drained_share * drained) return true;
  others_us_ += std::max(lowest, 0.0);
  queued_since_us_.reset();
  return false;
}

/// Measures the capacity of the link while a deep queue is being emptied. The rate of arrival shows
/// it, although less is sent.
void RateController::measure_capacity(std::int64_t now_us) {
  if (capacity_ == 0 || now_us - *queued_since_us_ < least_capacity_window_us) return;
  capacity_ = std::max(capacity_,
                       std::min(rate_before_deep_, arrived_per_second(now_us, *queued_since_us_)));
}

/// Returns true if the queue has not become shorter although much less is sent than has arrived: it
/// is on the way of the acknowledgements, or other traffic or a longer route causes the delay. Then
/// restores the rate, and ignores a delay of this length from now on.
bool RateController::is_of_others(std::int64_t now_us, const Queue& waiting,
                                  const Delivery& recent) {
  if (!reductions_)
    reductions_ = Reductions{rate_, recent.delivered_bytes * 1e6 / delivery_window_us, 0, {}};
  if (rate_ > low_share * reductions_->arrived) return false;
  if (!reductions_->low_since_us) {
    reductions_->low_since_us = now_us;
    reductions_->queue_us = waiting.us;
  }
  if (static_cast<double>(now_us - *reductions_->low_since_us) < others_us + *smooth_round_trip_us_)
    return false;
  if (waiting.us < unchanged_share * reductions_->queue_us) {
    reductions_->low_since_us.reset();
    return false;
  }
  others_us_ += waiting.us;
  set_rate(reductions_->rate_before);
  reductions_.reset();
  queued_since_us_.reset();
  return true;
}

void RateController::grow(std::int64_t now_us, std::int64_t since_us) {
  if (!has_met_limit_) return set_rate(rate_ * 2);
  const bool is_near_limit = rate_ > near_limit_from * limit_ && rate_ < near_limit_to * limit_;
  if (!is_near_limit || lowered_us_ > near_limit_since_us_.value_or(0))
    near_limit_since_us_.reset();
  if (is_near_limit && !near_limit_since_us_) near_limit_since_us_ = now_us;
  // Near the limit, the time without a queue counts from there.
  double calm_seconds =
      static_cast<double>(now_us - near_limit_since_us_.value_or(lowered_us_)) * 1e-6;
  const bool is_careful = is_near_limit && calm_seconds < near_limit_seconds;
  if (is_near_limit) calm_seconds = std::max(calm_seconds - near_limit_seconds, 0.0);
  const double per_second =
      is_careful
          ? near_limit_growth
          : std::min(growth_per_second + growth_per_second2 * calm_seconds, most_growth_per_second);
  // Excess traffic shows later on long round trips, so grow more slowly there. While the rate grows
  // by a share g per second beyond the capacity, the queue after t seconds is g t² / 2 seconds
  // long.
  const double late_seconds = *smooth_round_trip_us_ * 1e-6 + measuring_seconds;
  const double overshoot = overshoot_seconds + overshoot_per_second * std::max(calm_seconds, 0.0);
  const double most_per_second = 2 * overshoot / (late_seconds * late_seconds);
  const double growth =
      1 + std::min(per_second, most_per_second) * static_cast<double>(since_us) * 1e-6;
  set_rate(rate_ * std::min(growth, most_growth));
}

}  // namespace jostle::server
