#pragma once

#include "protocol/messages.h"
#include "protocol/precise/frame_codec.h"
#include "server/baseline_tracker.h"
#include "server/encoded_snapshot.h"
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

/// The last snapshots in the profiles fine and lossless, shared by all clients, and the encodings
/// of the newest one: one per baseline. A profile that no client uses costs no time.
class PreciseFrames {
 public:
  using Profile = protocol::Profile;
  /// One flag per profile: true if a client uses it. The flag of Visual is ignored.
  using Wanted = std::array<bool, protocol::profile_count>;

  /// `io` is the clock that measures encoding times. It must outlive this object.
  explicit PreciseFrames(net::Io& io) : io_(io) {}

  /// Starts a new snapshot and drops the encodings of the previous one. `room` is the maximum
  /// payload size of a part.
  void begin(const state::Snapshot& now, const Wanted& wanted, int tick_rate_hz, std::size_t room);

  /// Returns the frame of the newest snapshot; null if the profile is not wanted or a number is not
  /// finite.
  SharedFrame newest(Profile profile) const;
  /// Returns the newest frame encoded without a baseline, as the content of a blob; empty if
  /// newest() is null.
  const std::vector<std::byte>& keyframe(Profile profile);

  /// Returns all bodies of the newest frame, delta-encoded against the newest frame that the client
  /// has acknowledged: a stored frame, or else `older`, or else none. Returns null if there is no
  /// newest frame, the encoding time of this tick is used up, or the result has too many parts.
  const EncodedSnapshot* coded(Profile profile, const BaselineTracker& client,
                               const SharedFrame& older);
  /// Returns the payload size of the last encoding in bytes; null before the first one.
  std::optional<std::uint64_t> usual_bytes(Profile profile) const;

  /// Number of ticks for which frames are stored: about two seconds at 60 Hz. A client whose
  /// acknowledgements take longer receives all bodies without a baseline, or against `older`.
  static constexpr std::int64_t kept_ticks = 128;
  static_assert(kept_ticks <= protocol::precise::max_frame_age_ticks);
  /// Maximum encoding time per tick, after which no further encoding starts.
  static constexpr std::int64_t max_coding_us = 6'000;

 private:
  struct Coding {
    SharedFrame baseline;
    EncodedSnapshot coded;
  };
  struct OfProfile {
    // sorted by tick, newest last; empty if no client uses the profile
    std::deque<SharedFrame> frames;
    std::vector<Coding> codings;  // encodings of the newest frame
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
  std::size_t room_ = 0;
  int tick_rate_hz_ = state::default_tick_rate_hz;
  state::Tick tick_;
  std::array<OfProfile, protocol::profile_count> profiles_;
  std::int64_t spent_us_ = 0;
};

}  // namespace jostle::server
