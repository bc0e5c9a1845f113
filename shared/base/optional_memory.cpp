#include "shared/base/optional_memory.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace jostle::base {
namespace {

/// Bytes that a thread allocates between two questions to the memory source.
constexpr std::size_t bytes_per_question = 1U << 20;
constexpr int most_waits = 5'000;
constexpr std::chrono::milliseconds wait(1);

std::atomic<int> workers{0};  // threads with optional work
std::atomic<int> waiting{0};  // threads that wait for memory
std::atomic<std::size_t (*)()> memory_source{nullptr};
thread_local int depth = 0;                  // objects of OptionalWork of this thread
thread_local std::size_t unasked_bytes = 0;  // bytes since the last question

}  // namespace

OptionalWork::OptionalWork() {
  if (depth++ == 0) workers.fetch_add(1);
  unasked_bytes = bytes_per_question;
}

OptionalWork::~OptionalWork() {
  if (--depth == 0) workers.fetch_sub(1);
}

void set_memory_source(std::size_t (*available_bytes)()) {
  memory_source.store(available_bytes);
}

bool may_allocate(std::size_t bytes) {
  if (depth == 0) return true;
  if (waiting.load(std::memory_order_relaxed) > 0) return false;
  unasked_bytes += bytes;
  if (unasked_bytes < bytes_per_question) return true;
  const auto source = memory_source.load();
  if (source == nullptr) return true;
  unasked_bytes = 0;
  const std::size_t available = source();
  return available >= memory_reserve_bytes && available - memory_reserve_bytes >= bytes;
}

bool wait_for_memory() {
  if (depth > 0 || workers.load() == 0) return false;
  waiting.fetch_add(1);
  for (int i = 0; i < most_waits && workers.load() > 0; ++i)
    std::this_thread::sleep_for(wait);
  waiting.fetch_sub(1);
  return workers.load() == 0;
}

}  // namespace jostle::base
