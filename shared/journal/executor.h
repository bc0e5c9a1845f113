#pragma once

#include <cstddef>
#include <functional>

namespace jostle::journal {

/// Runs jobs in the order in which they were posted. The real implementation has a thread
/// (WriterThread); tests use InlineExecutor.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Queues a job that holds about `bytes` bytes of memory. Returns false, and does nothing, if the
  /// queue is full. Never blocks.
  virtual bool post(std::size_t bytes, std::function<void()> job) = 0;
  /// Adds a function that runs whenever the queue has become empty. `owner` identifies it.
  virtual void at_end_of_batch(const void* owner, std::function<void()> function) = 0;
  /// Removes the functions of `owner`. They do not run any more when this returns.
  virtual void forget(const void* owner) = 0;
  /// Waits until all jobs posted before have run, including the end of their batch. Returns false
  /// if that takes longer than `seconds`.
  virtual bool drain(double seconds) = 0;
};

/// An executor that runs each job, and the end of its batch, within post().
class InlineExecutor final : public Executor {
 public:
  bool post(std::size_t /*bytes*/, std::function<void()> job) override {
    if (is_full) return false;
    job();
    if (at_end_) at_end_();
    return true;
  }
  void at_end_of_batch(const void* /*owner*/, std::function<void()> function) override {
    at_end_ = std::move(function);
  }
  void forget(const void* /*owner*/) override { at_end_ = nullptr; }
  bool drain(double /*seconds*/) override { return true; }

  bool is_full = false;  // true: post() refuses every job

 private:
  std::function<void()> at_end_;
};

}  // namespace jostle::journal
