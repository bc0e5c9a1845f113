#pragma once

#include "client/client.h"
#include "client/interpolate.h"
#include "client/snapshot_buffer.h"
#include "client/world_replica.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::client {

/// A moving body, and where it stands in the snapshots that have these ids: to look that up anew in
/// each of them takes longer than all else where many bodies are told of seldom.
struct BodyPlace {
  state::BodyId id;
  MovingIds ids;
  std::size_t index = 0;
};

/// What is seen: every body of the revision that is shown, at its pose between snapshots.
class Stage {
 public:
  Stage(int tick_rate_hz, std::uint32_t snapshot_interval_ticks);

  /// Rebuilds bodies() for `tick`. A body appears with the first snapshot of its revision and is
  /// there until the first one without it. Reads nothing but its arguments and what it showed
  /// before (to fade out errors of extrapolation).
  void show(double tick, const SnapshotBuffer& buffer, const WorldReplica& world);

  const std::vector<ShownBody>& bodies() const { return bodies_; }
  /// The world revision that is shown.
  std::uint32_t revision() const { return revision_; }

 private:
  /// Where a body was shown last, and how far that was from what is known since.
  struct Memory {
    state::BodyId id;
    /// The newest state at or before what was shown last, and the one before that.
    std::optional<PoseSample> before{}, from{};
    bool is_awake = true;  // at `from`
    math::Pose shown{};
    math::Pose guess{};  // the same without its correction
    bool was_extrapolated = false;
    bool is_corrected = false;
    PoseCorrection correction{};
    double correction_since = 0;  // tick
  };
  struct Placed {
    math::Pose pose;
    bool is_awake = true;
    bool is_extrapolated = false;
    std::optional<PoseSample> before, from;  // of which it follows
  };
  Placed place(const Memory& memory, const WorldReplica::Resident& body, const BodyPlace& at,
               double tick, const SnapshotBuffer& buffer) const;
  math::Pose fade(Memory& memory, const WorldReplica::Resident& body, const BodyPlace& at,
                  const Placed& placed, double tick, const SnapshotBuffer& buffer) const;

  InterpolationMode mode_ = InterpolationMode::Linear;
  double fade_ticks_ = 0;
  double last_tick_ = 0;
  std::uint32_t revision_ = 0;
  std::vector<ShownBody> bodies_;
  std::vector<Memory> memories_;       // by id
  std::vector<Memory> next_memories_;  // the same, being built
};

}  // namespace jostle::client
