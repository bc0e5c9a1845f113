#include "shared/sim/ropes.h"

#include "shared/sim/body_registry.h"

namespace jostle::sim {
namespace {

using physics::JointDef;
using physics::JointKind;
using state::Rope;
using state::RopeKind;

Rope::End end_of(const physics::World& world, physics::BodyHandle body,
                 const math::Transform& frame) {
  return {BodyRegistry::id_of(world, body), frame.offset};
}
Rope::End in_world(math::Position point) {
  return {{}, math::to_vec3(point)};
}

/// Returns how a distance joint is drawn: as a spring if it has one, as a rope if it limits only
/// the largest distance, otherwise as a rod.
RopeKind kind_of(const JointDef& def) {
  if (def.spring.is_enabled) return RopeKind::Spring;
  return def.limits.is_enabled && def.limits.lower <= 0.0f ? RopeKind::Rope : RopeKind::Rod;
}

void add_ropes(const physics::World& world, const JointDef& def, std::vector<Rope>& ropes) {
  const bool is_pulley = def.kind == JointKind::Pulley;
  if (!is_pulley && def.kind != JointKind::Distance) return;
  const Rope::End a = end_of(world, def.body_a, def.frame_a),
                  b = end_of(world, def.body_b, def.frame_b);
  if (!is_pulley) {
    ropes.push_back({a, b, kind_of(def)});
    return;
  }
  const Rope::End ground_anchor_a = in_world(def.details->ground_anchor_a),
                  ground_anchor_b = in_world(def.details->ground_anchor_b);
  ropes.push_back({a, ground_anchor_a, RopeKind::Rope});
  ropes.push_back({ground_anchor_a, ground_anchor_b, RopeKind::Rope});
  ropes.push_back({ground_anchor_b, b, RopeKind::Rope});
}

}  // namespace

std::vector<Rope> capture_ropes(const physics::World& world) {
  std::vector<Rope> ropes;
  for (const physics::JointHandle joint : world.joints()) {
    const JointDef& def = world.joint_def(joint);
    if (!world.is_enabled(def.body_a) || !world.is_enabled(def.body_b)) continue;
    add_ropes(world, def, ropes);
    if (ropes.size() >= state::max_shown_ropes) break;
  }
  if (ropes.size() > state::max_shown_ropes) ropes.resize(state::max_shown_ropes);
  return ropes;
}

}  // namespace jostle::sim
