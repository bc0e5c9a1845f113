#pragma once

#include "protocol/visuals_codec.h"
#include "shared/math/vec3.h"
#include "shared/state/tick.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace jostle::client {

/// A particle to draw, at the displayed time.
struct ShownParticle {
  math::Position position;
  float radius = 0;  // m
  state::Colour colour;
};

/// Range of world revisions from `first` up to, but not including, `end`.
struct Revisions {
  std::uint32_t first = 0, end = std::numeric_limits<std::uint32_t>::max();
};

/// Buffer of the last frames of particles. Particles have no ids, so they cannot be interpolated
/// between frames. Each particle is moved along its own parabola from the frame nearest in time.
class ParticleBuffer {
 public:
  static constexpr std::size_t max_frames = 8;
  /// Longest time over which a particle is moved, forwards or backwards from its frame.
  static constexpr double max_seconds = 0.25;
  /// Largest distance in time between a frame and the displayed time. Frames further away are not
  /// shown.
  static constexpr double max_distance_seconds = 2;

  /// Adds a part. Returns false if its number of parts or its world revision contradicts other
  /// parts of the same tick. If the buffer is full, a part older than all its frames is dropped.
  bool insert(protocol::ParticlePart part);

  /// Fills `particles()` for the fractional tick `tick`, from the nearest frame whose world
  /// revision is in `of`. `particles()` is empty if there is no such frame within
  /// max_distance_seconds.
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

  std::vector<Frame> frames_;  // sorted by tick, at most max_frames entries
  std::vector<ShownParticle> shown_;
};

}  // namespace jostle::client
