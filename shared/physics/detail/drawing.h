#pragma once

#include "shared/physics/debug_draw.h"
#include "shared/physics/detail/world_state.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// The arguments of one call of debug_draw.
struct Drawing {
  const WorldState& world;
  const DebugDrawOptions& options;
  DebugDrawReceiver& receiver;
  std::vector<std::uint32_t> islands;  // indexed by body slot; empty if islands are not requested

  bool wants(DrawKind kind) const { return (options.kinds & bit_of(kind)) != 0; }
  DrawLabel label(DrawKind kind, std::uint32_t body) const {
    DrawLabel label;
    label.kind = kind;
    label.body = world.body_pool.at(body);
    if (body < islands.size()) label.island = islands[body];
    return label;
  }
  bool is_in_box(math::Position p) const { return !options.box || overlaps(*options.box, {p, p}); }
  /// Draws a line from `from` along `by`; nothing if `by` is zero.
  void arrow(math::Position from, math::Vec3 by, const DrawLabel& label) const {
    if (by != math::Vec3{}) receiver.line(from, from + by, label);
  }
};

void draw_shape(const Drawing& drawing, std::uint32_t shape, const DrawLabel& label);
void draw_joint(const Drawing& drawing, std::uint32_t joint);

}  // namespace jostle::physics
