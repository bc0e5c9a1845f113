#include "shared/physics/workers/worker_pool.h"

#include "shared/base/assert.h"
#include "shared/base/fp_environment.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace jostle::workers {
namespace {

// The blocks of a part that are not claimed yet are packed into 64 bits: 32 for the number of the
// loop, 16 for the first block, 16 for the end of the blocks.
constexpr std::uint64_t index_bits = 16;
constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;

constexpr std::uint32_t first_of(std::uint64_t left) {
  return static_cast<std::uint32_t>(left >> index_bits & index_mask);
}
constexpr std::uint32_t end_of(std::uint64_t left) {
  return static_cast<std::uint32_t>(left & index_mask);
}
constexpr std::uint64_t loop_of(std::uint64_t left) {
  return left >> (2 * index_bits);
}
constexpr std::uint64_t left_of(std::uint64_t loop, std::uint64_t first, std::uint64_t end) {
  return loop << (2 * index_bits) | first << index_bits | end;
}

/// Number of times that an idle helper checks for the next step before it sleeps, about 50 µs.
constexpr int looks_before_sleep = 2000;

void pause() {
#ifdef __x86_64__
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Waiting strategy that spins for a while, then yields: if there are fewer processors than
/// threads, the thread that is waited for must get processor time.
class Patience {
 public:
  void wait() {
    if (++spins_ < spins_before_yield) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }

 private:
  static constexpr int spins_before_yield = 2000;  // takes some tens of microseconds
  int spins_ = 0;
};

}  // namespace

WorkerPool::WorkerPool(int threads) : parts_(static_cast<std::size_t>(threads)) {
  JOSTLE_ASSERT(threads >= 1);
  for (int i = 1; i < threads; ++i)
    helpers_.emplace_back([this, i] { help(i); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_.store(true, std::memory_order_relaxed);
  }
  wakes_.notify_all();
  for (std::thread& helper : helpers_)
    helper.join();
}

void WorkerPool::begin_step() {
  JOSTLE_ASSERT(!is_stepping_);
  if (helpers_.empty()) return;
  is_stepping_ = true;
  bool has_sleepers = false;
  {
    const std::lock_guard lock(mutex_);
    step_.fetch_add(1, std::memory_order_relaxed);
    has_sleepers = sleepers_ > 0;
  }
  if (has_sleepers) wakes_.notify_all();
}

void WorkerPool::end_step() {
  if (!is_stepping_) return;
  is_stepping_ = false;
  const std::lock_guard lock(mutex_);
  step_.fetch_add(1, std::memory_order_relaxed);
}

void WorkerPool::run(Call call, const void* body, std::uint32_t count) {
  JOSTLE_ASSERT(count <= index_mask);
  // Every block of the previous loop has run, so no thread holds a claim and the values below may
  // change.
  call_.store(call, std::memory_order_relaxed);
  body_.store(body, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  ++loop_;
  const std::uint64_t shares = parts_.size();
  for (std::uint64_t i = 0; i < shares; ++i) {
    parts_[i].left.store(left_of(loop_, count * i / shares, count * (i + 1) / shares),
                         std::memory_order_release);
  }
  work(0);
  Patience patience;
  while (done_.load(std::memory_order_acquire) != count)
    patience.wait();
}

void WorkerPool::work(int thread) {
  const auto own = static_cast<std::size_t>(thread);
  // The number of the thread's own blocks is published in one write, because each write takes the
  // cache line of the counter from the other cores.
  std::uint32_t blocks = 0;
  while (run_block_of(parts_[own], true, thread))
    ++blocks;
  if (blocks > 0) done_.fetch_add(blocks, std::memory_order_release);
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    while (run_block_of(parts_[(own + i) % parts_.size()], false, thread))
      done_.fetch_add(1, std::memory_order_release);
  }
}

bool WorkerPool::run_block_of(Part& part, bool is_own, int thread) {
  std::uint64_t left = part.left.load(std::memory_order_acquire);
  for (;;) {
    if (first_of(left) >= end_of(left)) return false;
    const std::uint32_t block = is_own ? first_of(left) : end_of(left) - 1;
    const std::uint64_t rest = is_own ? left + (std::uint64_t{1} << index_bits) : left - 1;
    // These values belong to the claimed block if the swap succeeds, because the loop cannot have
    // ended while one of its blocks was unclaimed.
    const Call call = call_.load(std::memory_order_relaxed);
    const void* body = body_.load(std::memory_order_relaxed);
    if (!part.left.compare_exchange_weak(left, rest, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
      continue;
    }
    if (disturbance_ != nullptr) disturbance_(thread, block);
    call(body, block);
    return true;
  }
}

void WorkerPool::help(int thread) {
  std::uint64_t seen = 0, helped = 0;
  for (;;) {
    if (!await_step(seen)) {
      std::unique_lock lock(mutex_);
      ++sleepers_;
      wakes_.wait(lock, [&] {
        const std::uint64_t step = step_.load(std::memory_order_relaxed);
        return is_ending_.load(std::memory_order_relaxed) || (step % 2 == 1 && step != seen);
      });
      --sleepers_;
    }
    if (is_ending_.load(std::memory_order_relaxed)) return;
    seen = step_.load(std::memory_order_relaxed);
    if (seen % 2 == 1) helped = help_through_step(thread, seen, helped);
  }
}

/// Waits for at most about 50 µs. Returns true if a new step has begun or the pool is being
/// destroyed.
bool WorkerPool::await_step(std::uint64_t seen) const {
  for (int i = 0; i < looks_before_sleep; ++i) {
    const std::uint64_t step = step_.load(std::memory_order_relaxed);
    if (is_ending_.load(std::memory_order_relaxed)) return true;
    if (step % 2 == 1 && step != seen) return true;
    pause();
  }
  return false;
}

/// Takes part in the loops of a step. `helped` is the last loop that this helper has worked on; the
/// function returns its new value. Between loops the helper polls only the part of its own thread.
/// If it polled the other parts, it would take their cache lines from the threads that write them.
std::uint64_t WorkerPool::help_through_step(int thread, std::uint64_t step, std::uint64_t helped) {
  // Rounding mode and handling of subnormal numbers are set per thread.
  const base::FpEnvironment environment;
  const Part& own = parts_[static_cast<std::size_t>(thread)];
  Patience patience;
  while (step_.load(std::memory_order_relaxed) == step) {
    const std::uint64_t loop = loop_of(own.left.load(std::memory_order_relaxed));
    if (loop == helped) {
      patience.wait();
      continue;
    }
    work(thread);
    helped = loop;
    patience = Patience{};
  }
  return helped;
}

}  // namespace jostle::workers
