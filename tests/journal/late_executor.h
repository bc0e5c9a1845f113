#pragma once

#include "shared/journal/executor.h"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace jostle::journal {

/// Keeps its jobs until run(), as a thread does that is busy with something else.
class LateExecutor final : public Executor {
 public:
  bool post(std::size_t, std::function<void()> job) override {
    jobs_.push_back(std::move(job));
    return true;
  }
  void at_end_of_batch(const void*, std::function<void()>) override {}
  void forget(const void*) override {}
  bool drain(double) override { return false; }
  void run() {
    for (const auto& job : std::exchange(jobs_, {}))
      job();
  }

 private:
  std::vector<std::function<void()>> jobs_;
};

}  // namespace jostle::journal
