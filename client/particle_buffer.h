#pragma once

#include "protocol/show_codec.h"
#include "shared/math/vec3.h"
#include "shared/state/tick.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace jostle::client {

/// A particle to draw, at the time that is shown.
struct ShownParticle {
  math::Position position;
  float radius = 0;  // m
  state::Colour colour;
};

/// Revisions of a world from `first` on, without `end`.
struct Revisions {
  std::uint32_t first = 0, end = std::numeric_limits<std::uint32_t>::max();
};

/// The last frames of particles, and what they come to at a time near them. Particles have no
/// names: each is carried along its own parabola from the frame that is nearest in time.
class ParticleBuffer {
 public:
  static constexpr std::size_t max_frames = 8;
  /// No particle is carried on for longer.
  static constexpr double max_seconds = 0.25;
  /// A frame that is farther from what is shown is of another time, and shows nothing.
  static constexpr double max_distance_seconds = 2;

  /// Parts that contradict others of their tick are refused.
  bool insert(protocol::ParticlePart part);

  /// Fills `particles()` for a tick with fraction, from frames of the worlds that are meant.
  void show(double tick, int tick_rate_hz, Revisions of = {});
  const std::vector<ShownParticle>& particles() const { return shown_; }

 private:
  struct Frame {
    state::Tick tick;
    std::uint32_t world_revision = 0;
    std::vector<std::optional<protocol::ParticlePart>> parts;
    std::size_t arrived = 0;
  };
  const Frame* nearest(double tick, double farthest, Revisions of) const;

  std::vector<Frame> frames_;  // by tick, at most max_frames
  std::vector<ShownParticle> shown_;
};

}  // namespace jostle::client
