#include "server/run_recording.h"

#include "shared/base/log.h"
#include "shared/base/planted.h"

namespace jostle::server {

void RunRecording::set_ring(record::RingRecorder* ring, const std::string& scene_file) {
  ring_ = ring;
  ring_->begin(simulation_, scene_file);
}

std::function<PreparedJournals(const scene::SceneDef&)> RunRecording::preparation() const {
  return [build = journal::Journal::spare_builder(simulation_),
          count = journals_.size()](const scene::SceneDef& scene) {
    PreparedJournals spares(count);
    for (auto& pool : spares)
      pool = build(scene);
    return spares;
  };
}

/// Returns true if the hash of the state takes long enough to be computed beside the other work.
/// With strict durability, the tick waits for it anyway.
bool RunRecording::is_hashed_later() const {
  constexpr std::size_t least_bodies = 500;
  return hasher_.has_executor() && strict_ == nullptr &&
         simulation_.world_def().bodies.size() >= least_bodies;
}

void RunRecording::add_tick(const state::TickCommands& commands,
                            const std::vector<record::RecordedFault>& faults) {
  if (file_ != nullptr) file_->add_tick(commands, simulation_, faults);
  const auto begun = std::exchange(begun_scene_file_, std::nullopt);
  if (!journals_.empty()) {
    if (is_hashed_later()) {
      hasher_.start(simulation_);
      pending_ = Pending{commands, faults, begun};
    } else {
      pass_on({commands, faults, begun}, record::tick_hash_of(simulation_.hash()));
    }
  }
  if (ring_ == nullptr) return;
  if (begun) {
    ring_->begin(simulation_, *begun);
  } else {
    ring_->add_tick(commands, simulation_, faults);
  }
}

void RunRecording::wait_durable() {
  if (strict_ == nullptr) return;
  const bool may_wait = !is_late_ || strict_->is_caught_up();
  const bool is_durable = may_wait && strict_->wait_durable(strict_seconds_);
  if (is_durable == !is_late_) return;
  is_late_ = !is_durable;
  const journal::WriterStatus status = strict_->status();
  if (!is_late_)
    return base::warn("ticks are durable again before they are sent",
                      {{"file", status.path}, {"tick", simulation_.tick().number}});
  base::error("ticks are sent before they are durable",
              {{"file", status.path},
               {"tick", simulation_.tick().number},
               {"durable_tick", status.durable_tick},
               {"why", status.error.empty() ? "the disk does not answer" : status.error}});
}

void RunRecording::complete_tick() {
  if (const auto tick = std::exchange(pending_, std::nullopt)) pass_on(*tick, hasher_.finish());
}

void RunRecording::pass_on(const Pending& tick, record::TickHash hash) {
  if (base::is_planted("journal-before-apply")) {
    static record::TickHash earlier;
    std::swap(hash, earlier);
  }
  begun_spares_.resize(journals_.size());
  for (std::size_t i = 0; i < journals_.size(); ++i) {
    if (tick.begun_scene_file)
      journals_[i]->begin_scene(*tick.begun_scene_file, std::exchange(begun_spares_[i], nullptr));
    journals_[i]->add_tick(tick.commands, simulation_, tick.faults, hash);
  }
}

void RunRecording::log_failure() {
  if (file_ == nullptr || file_->is_healthy() || has_logged_failure_) return;
  has_logged_failure_ = true;
  base::error("recording failed",
              {{"tick", simulation_.tick().number},
               {"why", "a write to the recording failed; later ticks are not recorded"}});
}

}  // namespace jostle::server
