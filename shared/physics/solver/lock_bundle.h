#pragma once

#include "shared/physics/solver/body_block.h"
#include "shared/state/motion_locks.h"

#include <cstddef>

namespace jostle::physics {

/// Translation locks of the bodies of eight contacts or joints: 1 for world axes along which a body
/// can move, 0 for locked ones (kernels/lock_kernel.h). These bundles exist only if a body of the
/// cluster's contacts, or of its joints, has locks.
struct alignas(32) LockBundle {
  Lanes free_a[3], free_b[3];
  Lanes has_locks;  // 1 if either body has any lock, of translation or rotation; else 0
};

inline void set_lane(LockBundle& bundle, std::size_t lane, state::MotionLocks a,
                     state::MotionLocks b) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    bundle.free_a[axis][lane] = (a >> axis & 1U) != 0 ? 0.0f : 1.0f;
    bundle.free_b[axis][lane] = (b >> axis & 1U) != 0 ? 0.0f : 1.0f;
  }
  bundle.has_locks[lane] = (a | b) != 0 ? 1.0f : 0.0f;
}

}  // namespace jostle::physics
