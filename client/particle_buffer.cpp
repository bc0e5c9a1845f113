#include "client/particle_buffer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::client {

bool ParticleBuffer::insert(protocol::ParticlePart part) {
  const auto place =
      std::lower_bound(frames_.begin(), frames_.end(), part.tick,
                       [](const Frame& frame, state::Tick tick) { return frame.tick < tick; });
  auto frame = place;
  if (frame == frames_.end() || frame->tick != part.tick) {
    if (frames_.size() >= max_frames && place == frames_.begin()) return true;  // too old
    frame = frames_.insert(place, {part.tick, part.world_revision, {}, 0});
    frame->parts.resize(part.parts);
  }
  if (frame->parts.size() != part.parts || frame->world_revision != part.world_revision)
    return false;
  auto& slot = frame->parts[part.part];
  if (!slot) ++frame->arrived;
  slot = std::move(part);
  if (frames_.size() > max_frames) frames_.erase(frames_.begin());
  return true;
}

const ParticleBuffer::Frame* ParticleBuffer::nearest(double tick, double farthest,
                                                     Revisions of) const {
  const Frame* best = nullptr;
  double least = 0;
  for (const Frame& frame : frames_) {
    if (frame.world_revision < of.first || frame.world_revision >= of.end) continue;
    const double apart = std::abs(static_cast<double>(frame.tick.number) - tick);
    if (apart > farthest) continue;
    // A frame with missing parts is rated like a complete one that is up to 8 ticks further away.
    constexpr double missing_ticks = 8;
    const auto missing = static_cast<double>(frame.parts.size() - frame.arrived) /
                         static_cast<double>(frame.parts.size());
    const double distance = apart + missing_ticks * missing;
    if (best != nullptr && distance >= least) continue;
    best = &frame;
    least = distance;
  }
  return best;
}

void ParticleBuffer::show(double tick, int tick_rate_hz, Revisions of) {
  shown_.clear();
  const Frame* frame = nearest(tick, max_distance_seconds * tick_rate_hz, of);
  if (frame == nullptr) return;
  const double ahead = (tick - static_cast<double>(frame->tick.number)) / tick_rate_hz;
  const auto seconds = static_cast<float>(std::clamp(ahead, -max_seconds, max_seconds));
  for (const auto& part : frame->parts) {
    if (!part) continue;
    for (const state::ParticleGroup& group : part->groups) {
      const math::Vec3 fall = group.acceleration * (0.5f * seconds * seconds);
      for (std::size_t i = 0; i < group.positions.size(); ++i) {
        const math::Vec3 velocity = group.velocities[i];
        // A particle with zero velocity does not move, so gravity is not applied to it.
        const math::Vec3 way = velocity == math::Vec3{} ? math::Vec3{} : velocity * seconds + fall;
        shown_.push_back({group.positions[i] + way, group.radius, group.colour});
      }
    }
  }
}

}  // namespace jostle::client
