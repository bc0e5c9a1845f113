#include "server/debug_draw_view.h"

#include "shared/math/aabb.h"
#include "shared/math/trig.h"
#include "shared/remote_debug_draw/collect_debug_draw.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::server {
namespace {

/// Maximum distance of items from the eye along each axis. Farther lines and points are too small
/// to be seen.
constexpr float farthest = 80;  // m
/// Maximum number of candidate items for a debug draw frame. Bounds the time to make the frame.
constexpr std::size_t most_candidates = 20'000;
/// Angle by which the view cone is widened, so that it includes items that lie partly inside it.
constexpr float margin_rad = 0.2f;
/// Distance from the eye within which items count as visible in any direction.
constexpr float margin_m = 2;

/// Returns the offset from the eye to the item's nearest point; for a line, to its nearer end.
math::Vec3 nearest(const state::DebugDrawItem& item, const math::Position& eye) {
  const math::Vec3 from = item.from - eye, to = item.to - eye;
  if (item.kind == state::DebugDrawKind::Box || item.kind == state::DebugDrawKind::Island)
    return {math::clamp(0.0f, from.x, to.x), math::clamp(0.0f, from.y, to.y),
            math::clamp(0.0f, from.z, to.z)};
  return math::dot(from, from) <= math::dot(to, to) ? from : to;
}

/// Returns a sort key for an item at `offset` from the eye; items with the smallest keys are kept.
/// The key grows with the distance and with the angle from the centre of the view.
float rank_of(math::Vec3 offset, const protocol::SetInterest& interest) {
  constexpr float weight_of_angle = 8;
  const float squared = math::dot(offset, offset);
  const float along = math::dot(offset, interest.forward);
  return squared + weight_of_angle * (squared - along * along);
}

bool is_seen(math::Vec3 offset, const protocol::SetInterest& interest) {
  if (interest.half_angle == 0.0f || math::dot(interest.forward, interest.forward) == 0.0f)
    return true;
  const float distance = math::length(offset);
  if (distance <= margin_m) return true;
  const float limit = std::cos(std::min(interest.half_angle + margin_rad, math::pi));
  return math::dot(offset, interest.forward) >= limit * distance;
}

}  // namespace

state::DebugDrawFrame debug_draw_for(const sim::Simulation& simulation,
                                     state::DebugDrawLayers layers,
                                     const std::optional<protocol::SetInterest>& asked,
                                     std::size_t most_items) {
  const protocol::SetInterest interest = asked.value_or(protocol::SetInterest{});
  const float reach = interest.radius > 0 ? std::min(interest.radius, farthest) : farthest;
  const math::Vec3 half{reach, reach, reach};
  const math::Aabb box{interest.eye + -half, interest.eye + half};
  state::DebugDrawFrame debug_draw =
      remote_debug_draw::collect(simulation.world(), layers, most_candidates, box);
  debug_draw.tick = simulation.tick();
  struct Candidate {
    float rank = 0;
    std::size_t at = 0;
  };
  std::vector<Candidate> seen;
  for (std::size_t i = 0; i < debug_draw.items.size(); ++i) {
    const math::Vec3 offset = nearest(debug_draw.items[i], interest.eye);
    if (is_seen(offset, interest)) seen.push_back({rank_of(offset, interest), i});
  }
  if (seen.size() > most_items) {
    const auto end = seen.begin() + static_cast<std::ptrdiff_t>(most_items);
    std::nth_element(seen.begin(), end, seen.end(), [](const Candidate& a, const Candidate& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.at < b.at;
    });
    debug_draw.left_out += static_cast<std::uint32_t>(seen.size() - most_items);
    seen.erase(end, seen.end());
  }
  std::vector<state::DebugDrawItem> kept;
  for (const Candidate& candidate : seen)
    kept.push_back(debug_draw.items[candidate.at]);
  debug_draw.items = std::move(kept);
  return debug_draw;
}

}  // namespace jostle::server
