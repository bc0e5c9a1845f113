#include "client/update_intervals.h"

#include <algorithm>
#include <numeric>

namespace jostle::client {
namespace {

constexpr double interval_quantile = 0.9;
/// Decay of the histogram per snapshot. At 60 snapshots per second, half is forgotten within a
/// second.
constexpr double kept = 0.988;

}  // namespace

void UpdateIntervals::add(const BufferedSnapshot& snapshot) {
  if (snapshot.is_whole()) {
    ids_.reset();
    waits_.fill(0);
    usual_ticks_ = 0;
    return;
  }
  if (ids_ != snapshot.ids) follow_bodies(snapshot);
  for (double& count : waits_)
    count *= kept;
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    if (!snapshot.is_decoded[i] || snapshot.tick <= last_update_[i]) continue;
    const bool has_moved = snapshot.bodies[i] != states_[i];
    const auto wait = static_cast<std::size_t>(snapshot.tick - last_update_[i]);
    if (has_moved && last_update_[i].number != 0) waits_[std::min(wait, longest)] += 1;
    last_update_[i] = snapshot.tick;
    states_[i] = snapshot.bodies[i];
  }
  double left = interval_quantile * std::accumulate(waits_.begin(), waits_.end(), 0.0);
  std::size_t ticks = 0;
  while (ticks < longest && left > waits_[ticks])
    left -= waits_[ticks++];
  usual_ticks_ = static_cast<double>(ticks);
}

void UpdateIntervals::follow_bodies(const BufferedSnapshot& snapshot) {
  ids_ = snapshot.ids;
  last_update_.assign(ids_->size(), state::Tick{});
  states_.assign(ids_->size(), protocol::QuantizedBody{});
}

}  // namespace jostle::client
