#include "client/uplink_pacer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::client {
namespace {

/// Queue delay beyond the transmission time of a packet above which the rate falls. Below it,
/// delays are attributed to jitter.
constexpr double longest_queue_us = 30'000;
/// The same while the queue is being emptied.
constexpr double drained_queue_us = 15'000;
constexpr double usual_packet_bytes = 160;
/// Queue delay above which the client sends very little until the queue is shorter.
constexpr double deep_queue_us = 150'000;
// Shares of the capacity: while a queue is emptied, while a deep one is, and afterwards.
constexpr double drain_share = 0.7, deep_drain_share = 0.3, used_share = 0.9;
/// Delays of this time, but at least `judged_delays`, are compared.
constexpr std::int64_t judged_us = 120'000;
constexpr std::size_t judged_delays = 3;
/// The same at the start, when the jitter is not known yet.
constexpr std::size_t judged_at_start = 4;
/// Number of delays of which the lowest contains no jitter, and a multiple of the mean difference
/// of two delays that jitter rarely exceeds.
constexpr std::size_t many_delays = 6;
constexpr double jitter_factor = 3, most_jitter_us = 60'000;
/// Delays of this time measure the rate at which packets arrive.
constexpr std::int64_t arrival_window_us = 400'000, least_arrival_window_us = 100'000;
/// Time beyond a round trip after which a queue must have become shorter, and the share of its
/// length that it may still have then.
constexpr double judging_us = 500'000;
constexpr double unchanged_share = 0.85;
/// Number of times that the estimate of the capacity is halved because the queue does not become
/// shorter. A full queue drops packets, so the estimate may be far too high.
constexpr int most_failures = 2;
/// Growth at the start, and the queue that it may cause until it shows.
constexpr double most_growth_at_start = 0.3, least_growth_at_start = 0.12;
/// Round trip above which there is no slow start, because it would take many seconds.
constexpr double long_round_trip_us = 400'000;
constexpr double queue_at_start_us = 25'000;
/// Share of the rate that must have been used before it grows at the start.
constexpr double used_at_start = 0.8;
/// Time without waiting packets after which the start is over.
constexpr std::int64_t least_round_us = 100'000;
/// Time without a queue after which the rate grows.
constexpr std::int64_t calm_us = 1'000'000;
constexpr double growth_per_second = 0.05;
// Near the capacity of the last queue, the rate grows slowly for a while, so that the next queue
// stays short.
constexpr double near_capacity_growth = 0.01, near_capacity_share = 0.85;
constexpr std::int64_t near_capacity_us = 15'000'000;
constexpr double similar_share = 0.25;
/// The rate is unlimited again if it exceeds this multiple of the rate at which the client sends.
constexpr double unlimited_factor = 2;
/// Minimum rate. It carries about eight packets per second.
constexpr double least_uplink_rate = 1'500;
/// Maximum number of unused packets that may be sent at once later.
constexpr double most_saved_packets = 1.5;
constexpr std::int64_t sent_kept_us = 4'000'000, second_us = 1'000'000;

}  // namespace

/// Returns the number of bytes that were sent at or before `at_us`.
double UplinkPacer::sent_bytes_until(std::int64_t at_us) const {
  const auto later =
      std::upper_bound(sent_.begin(), sent_.end(), at_us,
                       [](std::int64_t us, const Sent& sent) { return us < sent.at_us; });
  return later == sent_.begin() ? forgotten_bytes_ : std::prev(later)->total_bytes;
}

double UplinkPacer::sent_per_second(std::int64_t now_us, std::int64_t window_us) const {
  return (total_bytes_ - sent_bytes_until(now_us - window_us)) * 1e6 /
         static_cast<double>(window_us);
}

/// Returns the rate at which packets have arrived lately, which is the capacity of the link if they
/// waited in a queue; 0 if it is unknown.
double UplinkPacer::arrived_per_second() const {
  if (delays_.empty()) return 0;
  const Delay& last = delays_.back();
  const double arrived_us = static_cast<double>(last.sent_us) + last.delay_us;
  const Delay* first = &last;
  for (auto delay = delays_.rbegin(); delay != delays_.rend(); ++delay) {
    if (delay->queue_us - route_us_ <= longest_queue_us) break;
    first = &*delay;
    if (arrived_us - (static_cast<double>(delay->sent_us) + delay->delay_us) >= arrival_window_us)
      break;
  }
  const double elapsed_us = arrived_us - (static_cast<double>(first->sent_us) + first->delay_us);
  if (elapsed_us < least_arrival_window_us) return 0;
  return (sent_bytes_until(last.sent_us) - sent_bytes_until(first->sent_us)) / elapsed_us * 1e6;
}

void UplinkPacer::add_delay(std::int64_t now_us, std::int64_t sent_us, double delay_us,
                            double round_trip_us) {
  lowest_.add(now_us, delay_us);
  if (!drain_ && !delays_.empty() && sent_us > delays_.back().sent_us)
    jitter_us_ += (std::abs(delay_us - delays_.back().delay_us) - jitter_us_) / 16;
  if (!delays_.empty() && sent_us <= delays_.back().sent_us) return;
  delays_.push_back({sent_us, delay_us, delay_us - lowest_.lowest(now_us, 0)});
  while (delays_.size() > judged_delays && sent_us - delays_.front().sent_us > second_us)
    delays_.pop_front();
  if (delays_.size() < judged_delays) return;
  // A queue delays every packet, jitter and bursts only some of them.
  double lowest = delays_.back().queue_us;
  std::size_t judged = 0;
  for (auto delay = delays_.rbegin(); delay != delays_.rend(); ++delay, ++judged) {
    const std::size_t least = is_starting_ ? judged_at_start : judged_delays;
    if (judged >= least && sent_us - delay->sent_us > judged_us) break;
    lowest = std::min(lowest, delay->queue_us);
  }
  route_us_ = std::min(route_us_, lowest);
  // Packets are long while inputs wait for their acknowledgement in the queue.
  const double transmission_us =
      is_limited() ? std::min(packet_bytes_, usual_packet_bytes) / rate_ * 1e6 : 0;
  double longest_us = drain_ ? drained_queue_us : longest_queue_us;
  // Few delays may all be long because of jitter.
  if (judged < many_delays && !drain_)
    longest_us = std::max(longest_us, std::min(jitter_factor * jitter_us_, most_jitter_us));
  if (lowest - route_us_ > longest_us + (is_starting_ ? transmission_us / 2 : transmission_us))
    return drain(now_us, lowest, round_trip_us);
  if (drain_) {
    note_capacity(drain_->capacity);
    rate_ = std::max(used_share * capacity_, least_uplink_rate);
  }
  if (std::exchange(drain_, {})) calm_since_us_ = grown_us_ = now_us;
  if (!is_starting_) return grow(now_us);
  grow_at_start(now_us, drained_queue_us + transmission_us / 4, round_trip_us);
}

/// Averages similar estimates of the capacity, because the delays are known in whole ticks only.
void UplinkPacer::note_capacity(double estimate) {
  const bool is_similar = std::abs(estimate - capacity_) < similar_share * capacity_;
  capacity_ = is_similar ? (3 * capacity_ + estimate) / 4 : estimate;
}

void UplinkPacer::drain(std::int64_t now_us, double queue_us, double round_trip_us) {
  const double arrived = arrived_per_second();
  is_starting_ = false;
  if (!drain_) {
    const double sent = sent_per_second(now_us, second_us);
    drain_ = Drain{.since_us = now_us,
                   .rate_before = rate_,
                   .capacity = arrived > 0 ? arrived : std::min(rate_, sent),
                   .queue_us = queue_us};
  } else if (static_cast<double>(now_us - drain_->since_us) >
             judging_us + round_trip_us + 2 * drain_->queue_us) {
    if (queue_us > unchanged_share * drain_->queue_us) {
      if (++drain_->failures > most_failures) {
        route_us_ = queue_us;
        rate_ = drain_->rate_before;
        drain_.reset();
        return;
      }
      drain_->capacity /= 2;
    }
    // Bytes that the link has dropped count as arrived, so a higher rate is not believed.
    if (arrived > 0) drain_->capacity = std::min(arrived, drain_->capacity);
    drain_->since_us = now_us;
    drain_->queue_us = queue_us;
  }
  drain_->queue_us = std::max(drain_->queue_us, queue_us);
  const bool is_deep = queue_us - route_us_ > deep_queue_us;
  rate_ =
      std::max((is_deep ? deep_drain_share : drain_share) * drain_->capacity, least_uplink_rate);
}

void UplinkPacer::grow(std::int64_t now_us) {
  if (!is_limited()) return;
  if (now_us - calm_since_us_ <= calm_us) return;
  const bool is_near_capacity =
      rate_ > near_capacity_share * capacity_ && now_us - calm_since_us_ < near_capacity_us;
  rate_ *= 1 + (is_near_capacity ? near_capacity_growth : growth_per_second) *
                   static_cast<double>(now_us - std::max(grown_us_, now_us - calm_us)) * 1e-6;
  grown_us_ = now_us;
  if (rate_ > unlimited_factor * sent_per_second(now_us, second_us))
    rate_ = std::numeric_limits<double>::infinity();
}

/// Grows if the rate was used up, and the newest packets have arrived without a queue. Without any
/// packet that had to wait, the rate becomes unlimited.
void UplinkPacer::grow_at_start(std::int64_t now_us, double longest_us, double round_trip_us) {
  std::size_t judged = 0;
  double lowest = std::numeric_limits<double>::infinity();
  for (auto delay = delays_.rbegin(); delay != delays_.rend() && judged < judged_delays; ++delay) {
    if (delay->sent_us < grown_us_) return;
    lowest = std::min(lowest, delay->queue_us);
    ++judged;
  }
  if (judged < judged_delays || lowest - route_us_ > longest_us) return;
  if (!is_held_back_) {
    if (now_us - grown_us_ < least_round_us) return;
    rate_ = std::numeric_limits<double>::infinity();
    is_starting_ = false;
    return;
  }
  const double seconds = static_cast<double>(delays_.back().sent_us - grown_us_) * 1e-6;
  const double sent = sent_bytes_until(delays_.back().sent_us) - sent_bytes_until(grown_us_);
  if (sent < used_at_start * rate_ * seconds) return;
  const double shown_us =
      static_cast<double>(delays_.back().sent_us - delays_[delays_.size() - judged_delays].sent_us);
  rate_ *= 1 + std::clamp(queue_at_start_us / std::max(shown_us + round_trip_us, 1.0),
                          least_growth_at_start, most_growth_at_start);
  grown_us_ = now_us;
  is_held_back_ = false;
}

void UplinkPacer::note_round_trip(double round_trip_us) {
  if (!is_starting_ || round_trip_us <= long_round_trip_us) return;
  is_starting_ = false;
  rate_ = std::numeric_limits<double>::infinity();
}

bool UplinkPacer::may_send(std::int64_t now_us, bool is_urgent) {
  const auto elapsed_us =
      static_cast<double>(std::clamp<std::int64_t>(now_us - advanced_us_, 0, second_us));
  advanced_us_ = now_us;
  if (!is_limited()) return true;
  if (is_starting_ && grown_us_ == 0) grown_us_ = now_us;
  tokens_ = std::min(tokens_ + rate_ * elapsed_us * 1e-6, most_saved_packets * packet_bytes_);
  if (is_urgent && is_starting_) return true;
  const bool may_send = tokens_ >= (is_urgent ? 0 : packet_bytes_);
  is_held_back_ |= !may_send;
  return may_send;
}

void UplinkPacer::note_sent(std::int64_t now_us, std::size_t bytes) {
  if (bytes == 0) return;
  const auto size = static_cast<double>(bytes);
  if (is_limited()) tokens_ = std::max(tokens_ - size, -most_saved_packets * packet_bytes_);
  total_bytes_ += size;
  sent_.push_back({now_us, total_bytes_});
  while (now_us - sent_.front().at_us > sent_kept_us) {
    forgotten_bytes_ = sent_.front().total_bytes;
    sent_.pop_front();
  }
}

void UplinkPacer::note_hitch() {
  delays_.clear();
  lowest_ = {};
  route_us_ = 0;
  if (drain_) rate_ = std::max(used_share * drain_->capacity, least_uplink_rate);
  drain_.reset();
}

}  // namespace jostle::client
