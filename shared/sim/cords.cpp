#include "shared/sim/cords.h"

#include "shared/sim/body_registry.h"

namespace jostle::sim {
namespace {

using physics::JointDef;
using physics::JointKind;
using state::Cord;
using state::CordKind;

Cord::End end_of(const physics::World& world, physics::BodyHandle body,
                 const math::Transform& frame) {
  return {BodyRegistry::id_of(world, body), frame.offset};
}
Cord::End in_world(math::Position point) {
  return {{}, math::to_vec3(point)};
}

/// Returns Rope if only the upper limit of the distance matters. A spring is drawn as a spring,
/// even if it acts only in tension.
CordKind kind_of(const JointDef& def) {
  if (def.spring.is_enabled) return CordKind::Spring;
  return def.limits.is_enabled && def.limits.lower <= 0.0f ? CordKind::Rope : CordKind::Rod;
}

void add_cords(const physics::World& world, const JointDef& def, std::vector<Cord>& cords) {
  const bool is_pulley = def.kind == JointKind::Pulley;
  if (!is_pulley && def.kind != JointKind::Distance) return;
  const Cord::End a = end_of(world, def.body_a, def.frame_a),
                  b = end_of(world, def.body_b, def.frame_b);
  if (!is_pulley) {
    cords.push_back({a, b, kind_of(def)});
    return;
  }
  const Cord::End over_a = in_world(def.details->over_a), over_b = in_world(def.details->over_b);
  cords.push_back({a, over_a, CordKind::Rope});
  cords.push_back({over_a, over_b, CordKind::Rope});
  cords.push_back({over_b, b, CordKind::Rope});
}

}  // namespace

std::vector<Cord> capture_cords(const physics::World& world) {
  std::vector<Cord> cords;
  for (const physics::JointHandle joint : world.joints()) {
    const JointDef& def = world.joint_def(joint);
    if (!world.is_enabled(def.body_a) || !world.is_enabled(def.body_b)) continue;
    add_cords(world, def, cords);
    if (cords.size() >= state::max_shown_cords) break;
  }
  if (cords.size() > state::max_shown_cords) cords.resize(state::max_shown_cords);
  return cords;
}

}  // namespace jostle::sim
