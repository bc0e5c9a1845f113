#pragma once

#include "shared/physics/execution.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/workers/worker_pool.h"

#include <memory>
#include <vector>

namespace jostle::physics {

/// The means by which a world steps; survives a restore.
struct Runtime {
  Execution execution;
  const KernelTable* kernels = &kernels_for(execution.simd);
  std::unique_ptr<workers::WorkerPool> workers = std::make_unique<workers::WorkerPool>(1);
  StageClock clock = nullptr;
  std::vector<StageSpan> spans;  // of the last step
};

/// Notes the time of a stage, for the life of the object.
class StageTimer {
 public:
  StageTimer(Runtime& runtime, Stage stage) : runtime_(runtime), stage_(stage) {
    if (runtime_.clock != nullptr) begin_ = runtime_.clock();
  }
  ~StageTimer() {
    if (runtime_.clock != nullptr) runtime_.spans.push_back({stage_, begin_, runtime_.clock()});
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  Runtime& runtime_;
  Stage stage_;
  double begin_ = 0;
};

}  // namespace jostle::physics
