#include "client/overlay_buffer.h"

#include <algorithm>
#include <utility>

namespace jostle::client {

bool OverlayBuffer::insert(protocol::OverlayPart part) {
  const state::Tick tick = part.overlay.tick;
  const auto place = std::lower_bound(
      overlays_.begin(), overlays_.end(), tick,
      [](const Arrived& arrived, state::Tick t) { return arrived.overlay.tick < t; });
  auto arrived = place;
  if (arrived == overlays_.end() || arrived->overlay.tick != tick) {
    if (overlays_.size() >= max_overlays && place == overlays_.begin()) return true;  // too old
    arrived = overlays_.insert(place, {part.world_revision, {}, {tick, {}, part.overlay.left_out}});
    arrived->parts.resize(part.parts);
  }
  if (arrived->parts.size() != part.parts || arrived->world_revision != part.world_revision)
    return false;
  if (arrived->parts[part.part]) return true;
  arrived->parts[part.part] = true;
  auto& items = arrived->overlay.items;
  items.insert(items.end(), part.overlay.items.begin(), part.overlay.items.end());
  if (overlays_.size() > max_overlays) overlays_.erase(overlays_.begin());
  return true;
}

const state::Overlay* OverlayBuffer::at(double tick, int tick_rate_hz, Revisions of) const {
  const Arrived* best = nullptr;
  for (const Arrived& arrived : overlays_) {
    const double age = tick - static_cast<double>(arrived.overlay.tick.number);
    if (age < 0 || age > max_age_seconds * tick_rate_hz || arrived.world_revision < of.first ||
        arrived.world_revision >= of.end)
      continue;
    // A complete overlay is preferred to a newer incomplete one.
    if (best == nullptr || arrived.is_whole() || !best->is_whole()) best = &arrived;
  }
  return best == nullptr ? nullptr : &best->overlay;
}

}  // namespace jostle::client
