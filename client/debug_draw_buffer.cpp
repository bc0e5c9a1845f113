#include "client/debug_draw_buffer.h"

#include <algorithm>
#include <utility>

namespace jostle::client {

bool DebugDrawBuffer::insert(protocol::DebugDrawPart part) {
  const state::Tick tick = part.debug_draw.tick;
  const auto place = std::lower_bound(
      debug_draws_.begin(), debug_draws_.end(), tick,
      [](const Arrived& arrived, state::Tick t) { return arrived.debug_draw.tick < t; });
  auto arrived = place;
  if (arrived == debug_draws_.end() || arrived->debug_draw.tick != tick) {
    if (debug_draws_.size() >= max_debug_draws && place == debug_draws_.begin())
      return true;  // too old
    arrived =
        debug_draws_.insert(place, {part.world_revision, {}, {tick, {}, part.debug_draw.left_out}});
    arrived->parts.resize(part.parts);
  }
  if (arrived->parts.size() != part.parts || arrived->world_revision != part.world_revision)
    return false;
  if (arrived->parts[part.part]) return true;
  arrived->parts[part.part] = true;
  auto& items = arrived->debug_draw.items;
  items.insert(items.end(), part.debug_draw.items.begin(), part.debug_draw.items.end());
  if (debug_draws_.size() > max_debug_draws) debug_draws_.erase(debug_draws_.begin());
  return true;
}

const state::DebugDrawFrame* DebugDrawBuffer::at(double tick, int tick_rate_hz,
                                                 Revisions of) const {
  const Arrived* best = nullptr;
  for (const Arrived& arrived : debug_draws_) {
    const double age = tick - static_cast<double>(arrived.debug_draw.tick.number);
    if (age < 0 || age > max_age_seconds * tick_rate_hz || arrived.world_revision < of.first ||
        arrived.world_revision >= of.end)
      continue;
    // A complete frame is preferred to a newer incomplete one.
    if (best == nullptr || arrived.is_whole() || !best->is_whole()) best = &arrived;
  }
  return best == nullptr ? nullptr : &best->debug_draw;
}

}  // namespace jostle::client
