#include "protocol/context/body_facts.h"

#include "shared/geometry/bounds.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace jostle::protocol::context {
namespace {

/// Returns half of the shortest side of the bounding box of a body's shapes in the body's frame, in
/// 1/512 m, at least 1.
std::uint16_t reach_of(const state::BodyInfo& body) {
  std::optional<math::Aabb> box;
  for (const state::BodyShape& part : body.shapes) {
    const math::Pose pose{math::Position{} + part.local.offset, part.local.rotation};
    const math::Aabb around = geometry::bounds(part.shape, pose);
    box = box ? math::united(*box, around) : around;
  }
  if (!box) return 1;
  const double side = std::min(
      {box->upper.x - box->lower.x, box->upper.y - box->lower.y, box->upper.z - box->lower.z});
  const double steps = side / 2 * position_steps_per_metre;
  constexpr double most = std::numeric_limits<std::uint16_t>::max();
  // NaN also gives 1.
  return steps >= 1 ? static_cast<std::uint16_t>(std::min(steps, most)) : std::uint16_t{1};
}

}  // namespace

std::vector<BodyFacts> facts_of(const state::WorldDef& world) {
  std::vector<BodyFacts> facts;
  std::size_t leading = 0;
  for (const state::BodyInfo& body : world.bodies) {
    if (body.motion == state::MotionType::Static) continue;
    const bool leads = !body.owner.is_null() && leading < max_leading_bodies;
    leading += leads ? 1 : 0;
    facts.push_back({reach_of(body), leads});
  }
  return facts;
}

}  // namespace jostle::protocol::context
