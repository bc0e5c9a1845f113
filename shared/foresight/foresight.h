#pragma once

#include "protocol/context/held_input.h"
#include "protocol/context/references.h"
#include "protocol/quantize.h"
#include "shared/foresight/cast.h"
#include "shared/physics/execution.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::foresight {

/// What both ends know of a frame that is to come.
struct Known {
  std::span<const protocol::QuantizedBody> baseline, previous;  // as many as roles
  std::int32_t age_ticks = 1;                                   // from the baseline to the frame
  std::int32_t gap_ticks = 0;  // from `previous` to the baseline; 0: there is none
  /// Of each steered body in the order of roles, gap_ticks + age_ticks inputs each: those of the
  /// ticks after `previous`, the frame's the last.
  std::span<const protocol::context::HeldInput> inputs;
};

/// Expects where bodies will be: steps a world of those that move, and of those that they may meet,
/// from the references to the frame. Nothing is kept from one frame to the next, so that both ends
/// expect the same, bit for bit, whatever else they have seen.
///
/// Velocities are those that lead from the older reference to the newer one: a first try with the
/// steady motion between them tells by how much forces and contacts change it.
class Foresight {
 public:
  Foresight(const scene::SceneDef& scene, int tick_rate_hz, std::vector<Role> cast);

  /// As many as roles. Bodies that nothing reaches stay as they are at the baseline; those of which
  /// the scene tells nothing are not known. `execution` changes no result.
  std::vector<protocol::context::ForeseenBody> foresee(const Known& known,
                                                       const physics::Execution& execution) const;
  /// Players whose inputs it asks for.
  std::size_t steered_count() const;

 private:
  scene::SceneDef scene_;
  physics::WorldOptions options_;
  std::vector<Role> cast_;
  std::vector<float> radii_;
};

}  // namespace jostle::foresight
