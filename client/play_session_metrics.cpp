// The metrics that a play session reports, and the trouble of its link.
#include "client/play_session.h"

#include <algorithm>

namespace jostle::client {
namespace {

/// Time without data, snapshots or received inputs that LinkTrouble reports.
constexpr double trouble_seconds = 0.25;
/// Share of the time without received inputs up to which silence is a consequence of it.
constexpr double starved_silence_share = 0.7;

}  // namespace

LinkTrouble PlaySession::trouble() const {
  const double noticed =
      std::max(trouble_seconds * welcome_.tick_rate_hz, 2.0 * welcome_.snapshot_interval_ticks);
  if (!is_playing_ || !clock_.is_set()) return LinkTrouble::None;
  const double delay = clock_.round_trip_us() * 1e-3 / 2 / period_ms();
  const double starved =
      inputs_.received() ? clock_.tick() - delay - inputs_.received()->number : 0;
  // While the server receives nothing, it sends less often: after pauses of half of its wait.
  if (silent_ticks_ > std::max(noticed, starved_silence_share * starved))
    return LinkTrouble::NoData;
  if (starved > noticed) return LinkTrouble::UplinkStarved;
  return stalled_ticks_ > noticed ? LinkTrouble::NoSnapshots : LinkTrouble::None;
}

void PlaySession::report(Metrics& metrics) const {
  const SnapshotBuffer& buffer = receiver_.buffer();
  metrics.prediction = predictor_ == nullptr ? PredictionMetrics{} : predictor_->figures();
  metrics.durable_tick = durable_tick_;
  metrics.newest_tick = buffer.newest_complete().value_or(state::Tick{});
  metrics.snapshots_complete = receiver_.counters().complete;
  metrics.snapshots_incomplete = buffer.incomplete();
  metrics.parts_refused = receiver_.counters().refused + shows_refused_ + frames_refused_;
  if (engine_ != nullptr) metrics.lockstep = engine_->figures();
  metrics.server_tick = clock_.is_set() ? clock_.tick() : 0;
  metrics.round_trip_ms = clock_.round_trip_us() * 1e-3;
  metrics.clock_error_ms = clock_.half_width_us() * 1e-3;
  metrics.loss =
      engine_ != nullptr ? frames_.loss() : buffer.loss(welcome_.snapshot_interval_ticks);
  metrics.trouble = trouble();
  metrics.input_margin_ticks = inputs_.margin_ticks();
  metrics.update_interval_ms = gaps_.usual_ticks() * period_ms();
  metrics.input_confirmation_ms = input_latency_ms(shown_tick_);
  metrics.input_latency_ms = metrics.prediction.is_running
                                 ? input_latency_ms(metrics.prediction.shown_tick)
                                 : metrics.input_confirmation_ms;
  metrics.jitter_buffer_ms =
      is_playing_ ? (static_cast<double>(metrics.newest_tick.number) - shown_tick_) * period_ms()
                  : 0;
  metrics.interpolation_delay_ms =
      clock_.is_set() ? (clock_.tick() - shown_tick_) * period_ms() : 0;
}

}  // namespace jostle::client
