#pragma once

#include "client/predictor.h"
#include "client/snapshot_buffer.h"
#include "client/world_replica.h"
#include "protocol/snapshot_codec.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace jostle::client {

/// Decoder of snapshot parts into a SnapshotBuffer. World changes and snapshots arrive in different
/// channels, which are not ordered relative to each other. A part whose world revision has not
/// arrived yet is therefore stored until that revision arrives.
class SnapshotReceiver {
 public:
  static constexpr std::size_t max_held_parts = 64;

  struct Counters {
    std::uint64_t complete = 0;  // snapshots, keyframes included
    // parts and keyframes that could not be decoded or contradict others
    std::uint64_t refused = 0;
    // parts and simulated snapshots whose revision is too old, or that were stored for a later
    // revision and pushed out
    std::uint64_t dropped = 0;
  };

  /// Function that is called for every snapshot whose last part was decoded. If `is_keyframe`, the
  /// snapshot arrived as a blob, so its time of arrival is no sample of the network delay.
  using CompleteHook = std::function<void(const BufferedSnapshot&, bool is_keyframe)>;
  /// The requested profile and the tick rate; parts in another profile are refused.
  struct RequestedFormat {
    protocol::Profile profile = protocol::Profile::Visual;
    int tick_rate_hz = state::default_tick_rate_hz;
  };
  /// `predictor` computes the predicted baselines of SnapshotCodec::Predicted; without one, parts
  /// in that codec are refused.
  explicit SnapshotReceiver(CompleteHook on_complete, RequestedFormat requested,
                            Predictor* predictor)
      : on_complete_(std::move(on_complete)), requested_(requested), predictor_(predictor) {}
  explicit SnapshotReceiver(CompleteHook on_complete, Predictor* predictor = nullptr)
      : SnapshotReceiver(std::move(on_complete), RequestedFormat{}, predictor) {}

  /// Processes a snapshot message of the State channel. Returns its header; null if it could not be
  /// read.
  std::optional<protocol::SnapshotHeader> take(std::span<const std::byte> bytes,
                                               const WorldReplica& world);
  /// Processes a keyframe blob. If its revision has not arrived yet, the keyframe is stored.
  void handle_keyframe(std::span<const std::byte> bytes, const WorldReplica& world);
  /// A locally simulated snapshot, and the bodies that were set elsewhere in its tick.
  struct OwnSnapshot {
    protocol::QuantizedSnapshot snapshot;
    std::vector<state::BodyId> teleported;
  };
  /// Adds a locally simulated snapshot (lockstep). If its revision has not arrived yet, the
  /// snapshot is stored.
  void handle_own(OwnSnapshot own, const WorldReplica& world);
  /// Processes the stored messages and snapshots whose revisions have arrived.
  void retry_held(const WorldReplica& world);

  const SnapshotBuffer& buffer() const { return buffer_; }
  const Counters& counters() const { return counters_; }
  std::size_t held_parts() const { return held_.size(); }

 private:
  void decode(const protocol::SnapshotMessage& message, const MovingIds& ids,
              const WorldReplica& world);
  using Decoded = base::Result<protocol::DecodedPart, protocol::DecodeError>;
  Decoded decode_payload(const protocol::SnapshotMessage& message, const MovingIds& ids,
                         const WorldReplica& world, const protocol::BaselineLookup& lookup);
  Decoded decode_predicted(const protocol::SnapshotMessage& message, const MovingIds& ids,
                           const WorldReplica& world, const protocol::BaselineLookup& lookup);
  base::Result<protocol::precise::Bodies, protocol::DecodeError> decode_precise(
      const protocol::SnapshotMessage& message, const MovingIds& ids) const;
  struct Keyframe {
    state::Tick tick;
    std::uint32_t world_revision = 0;
    std::vector<state::BodyId> ids;
    std::vector<protocol::QuantizedBody> bodies;
    protocol::precise::Bodies precise;
  };
  std::optional<Keyframe> decode_keyframe(std::span<const std::byte> bytes) const;
  void insert_keyframe(Keyframe keyframe, const WorldReplica& world);
  bool insert_own(OwnSnapshot& own, const WorldReplica& world);
  void insert(SnapshotBuffer::Part part);

  CompleteHook on_complete_;
  RequestedFormat requested_;
  Predictor* predictor_ = nullptr;
  SnapshotBuffer buffer_;
  std::deque<protocol::SnapshotMessage> held_;
  std::optional<Keyframe> held_keyframe_;
  std::deque<OwnSnapshot> held_own_;
  Counters counters_;
};

}  // namespace jostle::client
