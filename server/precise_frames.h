#pragma once

#include "protocol/messages.h"
#include "protocol/precise/frame_codec.h"
#include "server/baseline_tracker.h"
#include "server/coded_snapshot.h"
#include "shared/net/io.h"
#include "shared/state/snapshot.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace jostle::server {

using SharedFrame = std::shared_ptr<const protocol::precise::Frame>;

/// The newest snapshots in profiles fine and lossless, once for all clients, and their codings: one
/// for each baseline. A profile that nobody has asked for costs nothing.
class PreciseFrames {
 public:
  using Profile = protocol::Profile;
  /// Which profiles somebody is to be told in; that of visual says nothing.
  using Wanted = std::array<bool, protocol::profile_count>;

  /// `io` tells how long coding takes and must outlive this.
  explicit PreciseFrames(net::Io& io) : io_(io) {}

  /// A new snapshot. Forgets the codings of the one before.
  void begin(const state::Snapshot& now, const Wanted& wanted, int tick_rate_hz);

  /// That of the newest snapshot; null where the profile was not wanted, or a number is not finite.
  SharedFrame newest(Profile profile) const;
  /// All of the newest frame as a blob.
  const std::vector<std::byte>& keyframe(Profile profile);

  /// All bodies of the newest frame, against the newest one that the client has: one that is kept
  /// here, or `older`, or null. Nothing where there is no frame, no time, or it takes too many
  /// parts.
  const CodedSnapshot* coded(Profile profile, const BaselineTracker& client,
                             const SharedFrame& older);
  /// What the last coding took; nothing before there was one.
  std::optional<std::uint64_t> usual_bytes(Profile profile) const;

  /// So many ticks are kept: two seconds at 60 Hz. To a client whose acknowledgements take longer
  /// all bodies are told as if it had none.
  static constexpr std::int64_t kept_ticks = 128;
  static_assert(kept_ticks <= protocol::precise::max_frame_age_ticks);
  /// Beyond this no more is coded in a tick.
  static constexpr std::int64_t max_coding_us = 6'000;

 private:
  struct Coding {
    SharedFrame baseline;
    CodedSnapshot coded;
  };
  struct OfProfile {
    std::deque<SharedFrame> frames;  // by tick, the newest last; empty: not wanted
    std::vector<Coding> codings;     // of the newest
    std::vector<std::byte> keyframe;
    std::optional<std::uint64_t> usual_bytes;
  };
  OfProfile& of(Profile profile) { return profiles_[static_cast<std::size_t>(profile)]; }
  const OfProfile& of(Profile profile) const {
    return profiles_[static_cast<std::size_t>(profile)];
  }
  SharedFrame baseline_of(const OfProfile& of, const BaselineTracker& client,
                          const SharedFrame& older) const;

  net::Io& io_;
  int tick_rate_hz_ = state::default_tick_rate_hz;
  state::Tick tick_;
  std::array<OfProfile, protocol::profile_count> profiles_;
  std::int64_t spent_us_ = 0;
};

}  // namespace jostle::server
