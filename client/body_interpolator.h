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

/// A moving body with its index in all snapshots that share these ids. Caching the index avoids a
/// search in each snapshot, which dominates the cost if many bodies are updated rarely.
struct BodyPlace {
  state::BodyId id;
  MovingIds ids;
  std::size_t index = 0;
};

/// The displayed scene: every body of the displayed revision at its interpolated pose.
class BodyInterpolator {
 public:
  BodyInterpolator(int tick_rate_hz, std::uint32_t snapshot_interval_ticks);

  /// Rebuilds bodies() for `tick`. A body appears with the first snapshot of its revision and
  /// disappears with the first one without it. The result depends only on the arguments and on what
  /// was displayed before, which is used to fade out extrapolation errors.
  void show(double tick, const SnapshotBuffer& buffer, const WorldReplica& world);

  const std::vector<ShownBody>& bodies() const { return bodies_; }
  /// Returns the displayed world revision.
  std::uint32_t revision() const { return revision_; }

 private:
  /// The last displayed pose of a body, and the correction that is being faded out.
  struct Memory {
    state::BodyId id;
    /// The newest state at or before the last displayed time, and the state before it.
    std::optional<PoseSample> before{}, from{};
    bool is_awake = true;  // true if the body is awake at tick `from`
    math::Pose shown{};
    math::Pose guess{};  // `shown` without its correction
    bool was_extrapolated = false;
    bool is_corrected = false;
    PoseCorrection correction{};
    double correction_since = 0;  // tick at which the correction began
  };
  struct Placed {
    math::Pose pose;
    bool is_awake = true;
    bool is_extrapolated = false;
    std::optional<PoseSample> before, from;  // the samples that the pose was computed from
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
  std::vector<Memory> memories_;       // sorted by body id
  std::vector<Memory> next_memories_;  // `memories_` under construction
};

}  // namespace jostle::client
