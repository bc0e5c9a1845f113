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

/// A moving body and its index in `ids`. The index is valid for all snapshots that share `ids`.
/// Without this cache, each snapshot would need a binary search for the body. If many bodies are
/// updated rarely, these searches would dominate the CPU time.
struct BodyPlace {
  state::BodyId id;
  MovingIds ids;
  std::size_t index = 0;
};

/// A tick and its place among the snapshots of a buffer, which is the same for all bodies.
struct BufferMoment {
  BufferMoment(const SnapshotBuffer& snapshots, double at);

  const SnapshotBuffer& buffer;
  double tick = 0;
  std::size_t later = 0;  // index of the first snapshot after the tick
};

/// Interpolator of the displayed scene: computes the interpolated or extrapolated pose of every
/// body of the displayed revision.
class BodyInterpolator {
 public:
  BodyInterpolator(int tick_rate_hz, std::uint32_t snapshot_interval_ticks);

  /// Rebuilds bodies() for `tick`. The world revision is that of the last snapshot at or before
  /// `tick`. Spawned bodies therefore appear, and despawned bodies disappear, at the first snapshot
  /// of the new revision. Besides the arguments, the result depends only on earlier calls: they
  /// provide the last known states and the extrapolation errors that are faded out.
  void show(double tick, const SnapshotBuffer& buffer, const WorldReplica& world);

  const std::vector<ShownBody>& bodies() const { return bodies_; }
  /// Returns the bodies that were set elsewhere at a time that is displayed now, later, or was
  /// displayed a fifth of a second ago, sorted.
  const std::vector<state::BodyId>& teleported() const { return teleported_; }
  /// Returns the displayed world revision.
  std::uint32_t revision() const { return revision_; }

 private:
  /// The last displayed pose of a body, and the correction that is being faded out.
  struct Memory {
    state::BodyId id;
    /// `from` is the newest state at or before the last displayed tick, `before` the state before
    /// it.
    std::optional<PoseSample> before{}, from{};
    bool is_awake = true;  // true if the body was awake in state `from`
    math::Pose shown{};
    math::Pose uncorrected{};  // `shown` without its correction
    bool was_extrapolated = false;
    double extrapolated_from = 0;  // tick of the state from which `shown` was extrapolated
    bool is_corrected = false;
    PoseCorrection correction{};
    double correction_since = 0;  // tick at which the correction began
  };
  struct Placed {
    math::Pose pose;
    bool is_awake = true;
    bool is_extrapolated = false;
    double teleport = -1;  // last tick at which the body was set elsewhere; negative: none
    std::optional<PoseSample> before, from;  // the last two states at or before the tick, if known
  };
  Placed place(const Memory& memory, const WorldReplica::Resident& body, const BodyPlace& at,
               const BufferMoment& moment) const;
  /// `last` is the last displayed tick.
  math::Pose fade(Memory& memory, const WorldReplica::Resident& body, const BodyPlace& at,
                  const Placed& placed, double tick, const BufferMoment& last) const;

  InterpolationMode mode_ = InterpolationMode::Linear;
  double fade_ticks_ = 0;
  double last_tick_ = 0;
  std::uint32_t revision_ = 0;
  std::vector<ShownBody> bodies_;
  std::vector<state::BodyId> teleported_;
  std::vector<Memory> memories_;       // sorted by body id
  std::vector<Memory> next_memories_;  // `memories_` under construction
};

}  // namespace jostle::client
