#include "shared/journal/writer_thread.h"

#include <algorithm>
#include <chrono>
#include <csignal>

namespace jostle::journal {

WriterThread::WriterThread() : WriterThread(Options{}) {}

WriterThread::WriterThread(const Options& options) : options_(options) {
  // Signals are for the thread that runs the event loop.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool WriterThread::post(std::size_t bytes, std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= options_.most_jobs) return false;
    // A single large job is accepted by an empty queue.
    if (!jobs_.empty() && bytes_ + bytes > options_.most_bytes) return false;
    jobs_.push_back({bytes, std::move(job)});
    bytes_ += bytes;
    ++posted_;
  }
  wake_.notify_one();
  return true;
}

void WriterThread::at_end_of_batch(const void* owner, std::function<void()> function) {
  const std::lock_guard lock(mutex_);
  at_end_.emplace_back(owner, std::move(function));
}

void WriterThread::forget(const void* owner) {
  std::unique_lock lock(mutex_);
  std::erase_if(at_end_, [owner](const auto& entry) { return entry.first == owner; });
  const std::uint64_t wanted = posted_;
  done_.wait(lock, [&] { return finished_ >= wanted; });
}

bool WriterThread::drain(double seconds) {
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = posted_;
  return done_.wait_for(lock, std::chrono::duration<double>(seconds),
                        [&] { return finished_ >= wanted; });
}

void WriterThread::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    std::uint64_t taken = 0;
    while (!jobs_.empty()) {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job.run();
      job.run = nullptr;  // frees what the job holds
      lock.lock();
      bytes_ -= job.bytes;
      ++taken;
    }
    const auto at_end = at_end_;
    lock.unlock();
    for (const auto& [owner, function] : at_end)
      function();
    lock.lock();
    finished_ += taken;
    done_.notify_all();
  }
}

}  // namespace jostle::journal
