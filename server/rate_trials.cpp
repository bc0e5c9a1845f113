#include "server/rate_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Implements the trials of RateController, which distinguish random loss from a policer.

namespace jostle::server {
namespace {

// Fractions of loss above the link's own loss.
constexpr double suspicious_loss = 0.05;  // starts a trial if the rate was used up
constexpr double grave_loss = 0.45;       // starts a trial in any case
/// Standard deviations by which more must arrive in a trial than before.
constexpr double trial_deviations = 2.5;
/// Number of snapshots lost in a row, on average, from which on the losses may be an outage.
constexpr double outage_snapshots = 3;
/// Time until the next trial after one that found random loss. It doubles with each one in a row.
constexpr std::int64_t first_trial_pause_us = 8'000'000;
constexpr int most_doublings = 2;
constexpr double trial_lowering = 0.6;  // during a trial

}  // namespace

/// Returns true if more is lost than the link's own loss and chance explain.
bool RateController::is_suspicious(const Delivery& recent) const {
  const double deviation = std::sqrt(own_loss_ * (1 - own_loss_) / recent.sent_parts);
  return loss_ > own_loss_ + std::max(suspicious_loss, 3 * deviation);
}

/// Returns true if a trial could help: the rate was used up, or the loss is grave.
bool RateController::is_worth_a_trial(const Delivery& recent) const {
  return recent.is_rate_limited || loss_ > own_loss_ + grave_loss;
}

void RateController::continue_trial(std::int64_t now_us, const Delivery& delivery) {
  const auto seen_us = static_cast<std::int64_t>(*smooth_round_trip_us_) + patience_us;
  if (now_us - trial_->since_us < delivery_window_us + seen_us) return;
  if (trial_->is_lowered) return finish_trial(now_us, delivery);
  // The rate was constant for a whole window, so the loss belongs to this rate.
  if (!is_suspicious(delivery) || !is_worth_a_trial(delivery)) return trial_.reset();
  *trial_ = {.since_us = now_us,
             .is_lowered = true,
             .rate_before = rate_,
             .loss_before = loss_,
             .loss_burst = delivery.loss_burst,
             .sent_parts = delivery.sent_parts,
             .arrived_bytes = delivery.delivered_bytes};
  const double sent = delivery.sent_bytes * 1e6 / delivery_window_us;
  set_rate(std::min(rate_, sent) * trial_lowering);
  lowered_us_ = now_us;
}

/// Ends a trial without a result. Restores the rate from before it, unless `keeps_rate`.
void RateController::cancel_trial(bool keeps_rate) {
  if (trial_ && trial_->is_lowered && !keeps_rate) set_rate(trial_->rate_before);
  trial_.reset();
}

void RateController::finish_trial(std::int64_t now_us, const Delivery& delivery) {
  const Trial trial = *std::exchange(trial_, std::nullopt);
  has_met_limit_ = true;
  // On a link with random loss, the same fraction arrives as before the trial. Behind a policer, a
  // larger fraction arrives, up to all of it.
  const double survived_before = 1 - trial.loss_before;
  const double policed = std::min(1 / trial_lowering, 1 / std::max(survived_before, 0.01));
  const double arrived = 1 - loss_;
  // Losses in bursts vary more: as much as a fraction of the parts that are lost independently.
  const double spread = std::max(2 * std::max(trial.loss_burst, delivery.loss_burst) - 1, 1.0);
  const double deviation =
      std::sqrt(spread * (trial.loss_before * survived_before / std::max(trial.sent_parts, 1.0) +
                          loss_ * arrived / std::max(delivery.sent_parts, 1.0)));
  // Too few parts show nothing.
  const bool is_policed = delivery.sent_parts >= min_parts_to_judge &&
                          arrived > (1 + policed) / 2 * survived_before &&
                          arrived > survived_before + trial_deviations * deviation;
  // One outage before the trial looks like a policer. A policer drops again at the rate before.
  const bool is_outage = std::max(trial.loss_burst, delivery.loss_burst) >= outage_snapshots;
  if (is_policed && is_outage && !std::exchange(is_policer_likely_, true)) {
    next_trial_us_ = 0;
    return set_rate(trial.rate_before);
  }
  is_policer_likely_ = false;
  if (!is_policed) {
    own_loss_ = std::max(loss_, trial.loss_before);
    has_met_limit_ = false;
    next_trial_us_ = now_us + (first_trial_pause_us << std::min(failed_trials_++, most_doublings));
    return set_rate(trial.rate_before);
  }
  failed_trials_ = 0;
  next_trial_us_ = 0;
  set_rate(trial.arrived_bytes * 1e6 / delivery_window_us);
}

}  // namespace jostle::server
