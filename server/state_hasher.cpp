#include "server/state_hasher.h"

#include <utility>

namespace jostle::server {
namespace {

constexpr std::size_t job_bytes = 256;

}  // namespace

void StateHasher::start(const sim::Simulation& simulation) {
  task_.reset(new Task{.simulation = simulation});
  if (executor_ == nullptr) return;
  // A refused job, as of a full queue, leaves the hash to finish().
  (void)executor_->post(job_bytes, [task = task_] {
    if (task->is_taken.exchange(true)) return;
    const record::TickHash hash = record::tick_hash_of(task->simulation.hash());
    const std::lock_guard lock(task->mutex);
    task->hash = hash;
    task->is_done = true;
    task->done.notify_all();
  });
}

record::TickHash StateHasher::finish() {
  const std::shared_ptr<Task> task = std::exchange(task_, nullptr);
  if (!task->is_taken.exchange(true)) return record::tick_hash_of(task->simulation.hash());
  std::unique_lock lock(task->mutex);
  task->done.wait(lock, [&] { return task->is_done; });
  return task->hash;
}

}  // namespace jostle::server
