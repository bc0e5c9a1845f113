#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace jostle::workers {

/// The calling thread and `threads − 1` helper threads that run the parallel loops of a step.
///
/// A loop runs its blocks in any order and on any thread. The loop body must not write data that
/// another block of the same loop reads or writes; then no result depends on the number of threads
/// or on timing. The caller chooses the amount of work per block, from the size of the data.
///
/// Each thread owns a part of a loop's blocks (the calling thread the first part) and begins with
/// it, so that loops over the same data find it in the cache of the same core. A thread that has
/// finished its own part steals blocks from the ends of the other parts. A helper that the system
/// has not scheduled therefore delays nothing.
///
/// Helpers spin between the loops of a step, and for about 50 µs after a step in case the next one
/// follows at once. Then they sleep until `begin_step` wakes them.
class WorkerPool {
 public:
  /// A test function that each thread calls before each block it runs, to vary the schedule. It
  /// must not touch the data of the loop.
  using Disturbance = void (*)(int thread, std::uint32_t block);

  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }
  void set_disturbance(Disturbance disturbance) { disturbance_ = disturbance; }

  /// Wakes the helpers. Until `end_step`, they share the blocks of loops with the calling thread.
  void begin_step();
  /// Ends the step that `begin_step` began, if any.
  void end_step();

  /// Calls `body(block)` for 0 ≤ block < count, at most 65,535 blocks, and returns when all have
  /// run. Outside of a step, or if there is only one block, the calling thread runs all of them in
  /// order. Exceptions thrown by `body` end the program.
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

  // The blocks of a thread's part that are not claimed yet: the number of the loop, the first
  // block, and the end of the blocks. A block is claimed by one compare-and-swap. A helper that
  // wakes late cannot claim a block of a loop that has ended, because the loop number then differs.
  struct alignas(64) Part {
    std::atomic<std::uint64_t> left{0};
  };

  void run(Call call, const void* body, std::uint32_t count);
  void work(int thread);
  bool run_block_of(Part& part, bool is_own, int thread);
  void help(int thread);
  bool await_step(std::uint64_t seen) const;
  std::uint64_t help_through_step(int thread, std::uint64_t step, std::uint64_t helped);

  std::vector<Part> parts_;  // indexed by thread
  std::vector<std::thread> helpers_;
  Disturbance disturbance_ = nullptr;
  bool is_stepping_ = false;

  std::mutex mutex_;
  std::condition_variable wakes_;
  std::atomic<std::uint64_t> step_{0};   // odd during a step; written under mutex_
  std::atomic<bool> is_ending_ = false;  // written under mutex_
  int sleepers_ = 0;                     // guarded by mutex_

  // The current loop.
  alignas(64) std::uint64_t loop_ = 0;
  std::atomic<Call> call_{nullptr};
  std::atomic<const void*> body_{nullptr};
  alignas(64) std::atomic<std::uint32_t> done_{0};
};

}  // namespace jostle::workers
