#pragma once

#include "shared/physics/detail/stage_log.h"
#include "shared/physics/execution.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/workers/worker_pool.h"

#include <functional>
#include <memory>

namespace jostle::physics {

/// The means by which a world steps; survives a restore.
struct Runtime {
  Execution execution;
  const KernelTable* kernels = &kernels_for(execution.simd);
  std::unique_ptr<workers::WorkerPool> workers = std::make_unique<workers::WorkerPool>(1);
  /// For what one cluster of several does, on whatever thread.
  std::unique_ptr<workers::WorkerPool> alone = std::make_unique<workers::WorkerPool>(1);
  StageLog log;  // of the last step, on the thread that called
  std::function<void(Stage)> stage_hook;
};

}  // namespace jostle::physics
