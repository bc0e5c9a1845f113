#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace jostle::workers {

/// The caller's thread and `threads − 1` helpers for the parallel loops of one step.
///
/// A loop runs its blocks in any order and on any thread, so its body must write nothing that
/// another block of the same loop reads or writes; then no result depends on the number of threads
/// or on their timing. How much work a block holds is the loop's choice, by the size of its data.
///
/// Each thread has its part of a loop's blocks, the caller the first, and begins there: loops over
/// the same data find it in the cache of the core that had it last. Who has done its own part takes
/// from the ends of the others', so that a helper that the system has not scheduled holds nobody
/// up.
///
/// The helpers spin between the loops of a step, and for a moment after it in case that the next
/// step follows at once; then they sleep until `begin_step` wakes them.
class WorkerPool {
 public:
  /// Called by each thread before each block that it runs: the seam for tests that shake the
  /// schedule. Must not touch the loop's data.
  using Disturbance = void (*)(int thread, std::uint32_t block);

  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }
  void set_disturbance(Disturbance disturbance) { disturbance_ = disturbance; }

  void begin_step();
  void end_step();

  /// Calls `body(block)` for 0 ≤ block < count and returns when all have run. Outside of a step,
  /// and where there is one block only, the caller runs them all, in order. The body's exceptions
  /// end the program. At most 65,535 blocks.
  template <typename Body>
  void for_each_block(std::uint32_t count, const Body& body) {
    if (count <= 1 || !is_stepping_) {
      for (std::uint32_t block = 0; block < count; ++block)
        body(block);
      return;
    }
    run([](const void* self, std::uint32_t block) { (*static_cast<const Body*>(self))(block); },
        &body, count);
  }

 private:
  using Call = void (*)(const void* body, std::uint32_t block);

  // What is left of a thread's part: the number of the loop, the first block and the one after the
  // last. A claim is one compare-and-swap: a helper that wakes late cannot claim of a loop that has
  // ended, whatever it has read of it.
  struct alignas(64) Part {
    std::atomic<std::uint64_t> left{0};
  };

  void run(Call call, const void* body, std::uint32_t count);
  void work(int thread);
  bool run_block_of(Part& part, bool is_own, int thread);
  void help(int thread);
  bool await_step(std::uint64_t seen) const;
  std::uint64_t help_through_step(int thread, std::uint64_t step, std::uint64_t helped);

  std::vector<Part> parts_;  // by thread
  std::vector<std::thread> helpers_;
  Disturbance disturbance_ = nullptr;
  bool is_stepping_ = false;

  std::mutex mutex_;
  std::condition_variable wakes_;
  std::atomic<std::uint64_t> step_{0};   // odd while a step runs; written under mutex_
  std::atomic<bool> is_ending_ = false;  // written under mutex_
  int sleepers_ = 0;                     // under mutex_

  // The loop that runs.
  alignas(64) std::uint64_t loop_ = 0;
  std::atomic<Call> call_{nullptr};
  std::atomic<const void*> body_{nullptr};
  alignas(64) std::atomic<std::uint32_t> done_{0};
};

}  // namespace jostle::workers
