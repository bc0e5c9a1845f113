#include "server/run_recording.h"

#include "shared/base/log.h"
#include "shared/base/planted.h"

namespace jostle::server {

void RunRecording::set_ring(record::RingRecorder* ring, const std::string& scene_file) {
  ring_ = ring;
  ring_->begin(simulation_, scene_file);
}

void RunRecording::add_tick(const state::TickCommands& commands,
                            const std::vector<record::RecordedFault>& faults) {
  if (file_ != nullptr) file_->add_tick(commands, simulation_, faults);
  const auto begun = std::exchange(begun_scene_file_, std::nullopt);
  if (!journals_.empty()) {
    record::TickHash hash = record::tick_hash_of(simulation_.hash());
    if (base::is_planted("journal-before-apply")) {
      static record::TickHash earlier;
      std::swap(hash, earlier);
    }
    for (journal::Journal* const journal : journals_) {
      if (begun) journal->begin_scene(*begun);
      journal->add_tick(commands, simulation_, faults, hash);
    }
    if (strict_ != nullptr) (void)strict_->wait_durable(strict_seconds_);
  }
  if (ring_ == nullptr) return;
  if (begun) {
    ring_->begin(simulation_, *begun);
  } else {
    ring_->add_tick(commands, simulation_, faults);
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
