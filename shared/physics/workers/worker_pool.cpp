#include "shared/physics/workers/worker_pool.h"

#include "shared/base/assert.h"
#include "shared/base/fp_environment.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace jostle::workers {
namespace {

// A ticket: 32 bits of the loop's number, 16 of its count of blocks, 16 of the next block.
constexpr std::uint64_t index_bits = 16;
constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;

constexpr std::uint32_t next_of(std::uint64_t ticket) {
  return static_cast<std::uint32_t>(ticket & index_mask);
}
constexpr std::uint32_t count_of(std::uint64_t ticket) {
  return static_cast<std::uint32_t>(ticket >> index_bits & index_mask);
}
constexpr std::uint64_t first_ticket(std::uint64_t loop, std::uint32_t count) {
  return loop << (2 * index_bits) | std::uint64_t{count} << index_bits;
}

/// Waits a little, and after a while longer: where there are fewer processors than threads, the
/// one that is waited for must get its turn.
class Patience {
 public:
  void wait() {
    if (++spins_ < spins_before_yield) {
#ifdef __x86_64__
      _mm_pause();
#elif defined(__aarch64__)
      __asm__ volatile("yield");
#endif
    } else {
      std::this_thread::yield();
    }
  }

 private:
  static constexpr int spins_before_yield = 2000;  // some tens of microseconds
  int spins_ = 0;
};

}  // namespace

WorkerPool::WorkerPool(int threads) {
  JOSTLE_ASSERT(threads >= 1);
  for (int i = 1; i < threads; ++i)
    helpers_.emplace_back([this, i] { help(i); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wakes_.notify_all();
  for (std::thread& helper : helpers_)
    helper.join();
}

void WorkerPool::begin_step() {
  JOSTLE_ASSERT(!is_stepping_);
  if (helpers_.empty()) return;
  is_stepping_ = true;
  {
    const std::lock_guard lock(mutex_);
    step_.fetch_add(1, std::memory_order_relaxed);
  }
  wakes_.notify_all();
}

void WorkerPool::end_step() {
  if (!is_stepping_) return;
  is_stepping_ = false;
  const std::lock_guard lock(mutex_);
  step_.fetch_add(1, std::memory_order_relaxed);
}

void WorkerPool::run(Call call, const void* body, std::uint32_t count) {
  JOSTLE_ASSERT(count <= index_mask);
  // Every block of the loop before has run, so nobody holds a claim and these may change.
  call_.store(call, std::memory_order_relaxed);
  body_.store(body, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t loop = (ticket_.load(std::memory_order_relaxed) >> (2 * index_bits)) + 1;
  ticket_.store(first_ticket(loop, count), std::memory_order_release);
  while (run_one_block(0)) {
  }
  Patience patience;
  while (done_.load(std::memory_order_acquire) != count)
    patience.wait();
}

bool WorkerPool::run_one_block(int thread) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (;;) {
    if (next_of(ticket) >= count_of(ticket)) return false;
    // What is read here belongs to the ticket if the swap succeeds: the loop cannot have ended
    // while one of its blocks was free.
    const Call call = call_.load(std::memory_order_relaxed);
    const void* body = body_.load(std::memory_order_relaxed);
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      continue;
    }
    if (disturbance_ != nullptr) disturbance_(thread, next_of(ticket));
    call(body, next_of(ticket));
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }
}

void WorkerPool::help(int thread) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wakes_.wait(lock, [&] {
        const std::uint64_t step = step_.load(std::memory_order_relaxed);
        return is_ending_ || (step % 2 == 1 && step != seen);
      });
      if (is_ending_) return;
      seen = step_.load(std::memory_order_relaxed);
    }
    help_through_step(thread, seen);
  }
}

void WorkerPool::help_through_step(int thread, std::uint64_t step) {
  // Rounding and subnormals are each thread's own.
  const base::FpEnvironment environment;
  Patience patience;
  while (step_.load(std::memory_order_relaxed) == step) {
    if (run_one_block(thread)) {
      patience = Patience{};
    } else {
      patience.wait();
    }
  }
}

}  // namespace jostle::workers
