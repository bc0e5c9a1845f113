#include "client/uplink_pacer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jostle::client {
namespace {

/// Queue delay beyond the transmission time of a packet above which the rate falls. Below it,
/// delays are attributed to jitter.
constexpr double longest_queue_us = 30'000;
/// Queue delay above which the rate falls by a larger factor.
constexpr double deep_queue_us = 100'000;
constexpr double queue_lowering = 0.85, deep_queue_lowering = 0.6;
/// If a rate below this share of the former one has not shortened the queue to less than
/// `unchanged_share` of its length, the delay is that of the route.
constexpr double route_share = 0.3;
/// Time beyond two round trips in which a queue becomes shorter at this rate.
constexpr double judging_us = 500'000;
constexpr double unchanged_share = 0.85;
/// Delays of this time, but at least `judged_delays`, are compared.
constexpr std::int64_t judged_us = 120'000;
constexpr std::size_t judged_delays = 3;
/// Time beyond a round trip in which a lowered rate takes effect.
constexpr double settling_us = 200'000;
/// Time without a queue after which the rate grows.
constexpr std::int64_t calm_us = 1'000'000;
constexpr double growth_per_second = 0.08;
/// The rate is unlimited again if it exceeds this multiple of the rate at which the client sends.
constexpr double unlimited_factor = 2;
/// Minimum rate. It carries about eight packets per second.
constexpr double least_uplink_rate = 2'000;
/// Maximum number of unused packets that may be sent at once later.
constexpr double most_saved_packets = 1.5;
constexpr std::int64_t sent_bucket_us = 100'000;

}  // namespace

double UplinkPacer::sent_per_second() const {
  return std::accumulate(sent_.begin(), sent_.end(), 0.0);
}

void UplinkPacer::add_delay(std::int64_t now_us, double delay_us, double round_trip_us) {
  lowest_.add(now_us, delay_us);
  const double queue_us = delay_us - lowest_.lowest(now_us, 0);
  delays_.push_back({now_us, queue_us});
  while (delays_.size() > judged_delays && now_us - delays_.front().at_us > judged_us)
    delays_.pop_front();
  if (delays_.size() < judged_delays) return;
  // A queue delays every packet, jitter and bursts only some of them.
  double lowest = queue_us;
  for (const Delay& delay : delays_)
    lowest = std::min(lowest, delay.queue_us);
  route_us_ = std::min(route_us_, lowest);
  const double transmission_us = is_limited() ? packet_bytes_ / rate_ * 1e6 : 0;
  if (lowest - route_us_ > longest_queue_us + transmission_us) {
    calm_since_us_ = now_us;
    if (static_cast<double>(now_us - lowered_us_) >= settling_us + round_trip_us)
      lower(now_us, lowest, round_trip_us);
    return;
  }
  is_lowering_ = false;
  if (!is_limited() || now_us - calm_since_us_ <= calm_us) return;
  rate_ *= 1 + growth_per_second *
                   static_cast<double>(now_us - std::max(grown_us_, now_us - calm_us)) * 1e-6;
  grown_us_ = now_us;
  if (rate_ > unlimited_factor * sent_per_second()) rate_ = std::numeric_limits<double>::infinity();
}

void UplinkPacer::lower(std::int64_t now_us, double queue_us, double round_trip_us) {
  const double sent = sent_per_second();
  if (!is_lowering_) reductions_ = {rate_, sent, queue_us};
  is_lowering_ = true;
  reductions_.queue_us = std::max(reductions_.queue_us, queue_us);
  if (rate_ <= route_share * reductions_.sent_before) {
    if (static_cast<double>(now_us - lowered_us_) < judging_us + 2 * round_trip_us) return;
    if (queue_us < unchanged_share * reductions_.queue_us) {
      // The queue becomes shorter: wait until it is empty.
      lowered_us_ = now_us;
      reductions_.queue_us = queue_us;
      return;
    }
    route_us_ = queue_us;
    rate_ = reductions_.rate_before;
    is_lowering_ = false;
    return;
  }
  lowered_us_ = now_us;
  const double factor = queue_us - route_us_ > deep_queue_us ? deep_queue_lowering : queue_lowering;
  rate_ = std::max(factor * std::min(rate_, sent), least_uplink_rate);
}

bool UplinkPacer::may_send(std::int64_t now_us) {
  const auto elapsed_us =
      static_cast<double>(std::clamp<std::int64_t>(now_us - advanced_us_, 0, 1'000'000));
  advanced_us_ = now_us;
  if (!is_limited()) return true;
  tokens_ = std::min(tokens_ + rate_ * elapsed_us * 1e-6, most_saved_packets * packet_bytes_);
  return tokens_ >= packet_bytes_;
}

void UplinkPacer::note_sent(std::int64_t now_us, std::size_t bytes) {
  packet_bytes_ = static_cast<double>(bytes);
  if (is_limited()) tokens_ -= packet_bytes_;
  const std::int64_t bucket = now_us / sent_bucket_us;
  for (std::int64_t i = std::max(bucket_ + 1, bucket - static_cast<std::int64_t>(buckets) + 1);
       i <= bucket; ++i)
    sent_[static_cast<std::size_t>(i) % buckets] = 0;
  bucket_ = std::max(bucket, bucket_);
  sent_[static_cast<std::size_t>(bucket) % buckets] += packet_bytes_;
}

}  // namespace jostle::client
