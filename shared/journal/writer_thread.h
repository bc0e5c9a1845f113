#pragma once

#include "shared/journal/executor.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace jostle::journal {

/// A thread that writes files for a server, so that no disk can delay a tick. Its queue is bounded
/// in jobs and in bytes: while a disk stalls, jobs are refused instead of filling the memory.
class WriterThread final : public Executor {
 public:
  struct Options {
    std::size_t most_jobs = 4'096;
    std::size_t most_bytes = 64U << 20;
  };
  WriterThread();
  explicit WriterThread(const Options& options);
  /// Runs the queued jobs first.
  ~WriterThread() override;
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  bool post(std::size_t bytes, std::function<void()> job) override;
  void at_end_of_batch(const void* owner, std::function<void()> function) override;
  void forget(const void* owner) override;
  bool drain(double seconds) override;

 private:
  struct Job {
    std::size_t bytes = 0;
    std::function<void()> run;
  };
  void work();

  Options options_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<Job> jobs_;
  std::size_t bytes_ = 0;
  bool is_ending_ = false;
  std::uint64_t posted_ = 0, finished_ = 0;  // jobs so far; finished includes the end of the batch
  std::vector<std::pair<const void*, std::function<void()>>> at_end_;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace jostle::journal
