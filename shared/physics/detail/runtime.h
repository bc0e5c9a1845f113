#pragma once

#include "shared/physics/detail/stage_log.h"
#include "shared/physics/execution.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/workers/worker_pool.h"

#include <functional>
#include <memory>

namespace jostle::physics {

/// Execution settings and worker threads of a world. They are kept when the world is restored.
struct Runtime {
  Execution execution;
  const KernelTable* kernels = &kernels_for(execution.simd);
  std::unique_ptr<workers::WorkerPool> workers = std::make_unique<workers::WorkerPool>(1);
  /// A pool of one thread, which runs its work on the calling thread. It is used while several
  /// clusters (batches of islands, islands/clusters.h) are solved in parallel, one on each thread.
  std::unique_ptr<workers::WorkerPool> alone = std::make_unique<workers::WorkerPool>(1);
  StageLog log;  // stages of the last step, on the calling thread
  std::function<void(Stage)> stage_hook;
};

}  // namespace jostle::physics
