#pragma once

#include "protocol/limits.h"
#include "protocol/messages.h"
#include "protocol/precise/frame_codec.h"
#include "protocol/quantize.h"
#include "protocol/snapshot_codec.h"
#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace jostle::client {

/// Ids of the moving bodies of a world revision, sorted; shared by all snapshots of the revision.
using MovingIds = std::shared_ptr<const std::vector<state::BodyId>>;

/// The decoded state of the world at one tick.
struct BufferedSnapshot {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  MovingIds ids;
  std::uint8_t parts = 1;
  std::bitset<protocol::max_snapshot_parts> decoded_parts;
  std::uint16_t decoded_count = 0;              // number of bits in `decoded_parts`
  std::vector<protocol::QuantizedBody> bodies;  // indexed like `ids`
  std::vector<bool> is_decoded;                 // indexed like `ids`
  /// The same bodies in profile fine or lossless, if the client requested that profile; otherwise
  /// empty.
  protocol::precise::Bodies precise;
  std::size_t decoded_bodies = 0;
  // true once this snapshot was checked for missing parts, see incomplete()
  bool was_counted = false;
  std::uint8_t skipped = 0;  // number of snapshots that the server skipped right before this one
  /// A body that was set elsewhere at a tick, at or before this snapshot.
  struct Teleport {
    std::uint32_t index = 0;  // index in `bodies`
    state::Tick tick;
  };
  std::vector<Teleport> teleports{};

  /// Returns the last tick at which the body was set elsewhere, as far as this snapshot says.
  /// Returns nothing without teleports. States before and after a teleport must not be
  /// interpolated.
  std::optional<state::Tick> teleport_of(std::size_t index) const;
  /// Returns true if all parts have been decoded.
  bool is_complete() const { return decoded_count == parts; }
  /// Returns true if the parts contain all bodies. A complete snapshot is not whole if the server
  /// selects bodies for this client.
  bool is_whole() const { return is_complete() && decoded_bodies == bodies.size(); }
  /// Returns the body's state if its part was decoded, else nullptr.
  const protocol::QuantizedBody* find(state::BodyId id) const;
  /// Returns the pose of a decoded body in the best available precision.
  math::Pose pose_of(std::size_t index) const;
  bool is_precise() const { return protocol::precise::size_of(precise) > 0; }
  protocol::QuantizedSnapshot copy() const;
};

/// Decoded snapshots in order of ticks: baselines for the decoder, acknowledgements for the server
/// and states for interpolation. Holds the last `window_ticks` ticks, or fewer if their bodies
/// would exceed `max_bodies_held`.
class SnapshotBuffer {
 public:
  /// Number of ticks held: the server's baseline window plus a reserve, because late parts may
  /// still refer to the oldest baseline in the window.
  static constexpr std::uint32_t window_ticks = protocol::baseline_window_ticks + 32;
  /// Maximum number of buffered bodies: 66 MiB of quantised states. Precise bodies count more, see
  /// `precise_share`.
  static constexpr std::size_t max_bodies_held = window_ticks * protocol::max_snapshot_bodies;
  // number of bodies that a body with a precise state counts as
  static constexpr std::size_t precise_share = 4;
  /// Number of ticks by which a snapshot must be older than the newest one for its missing parts to
  /// count as lost.
  static constexpr std::uint32_t late_ticks = 32;
  /// Length of the window for loss().
  static constexpr std::uint32_t loss_ticks = 160;

  enum class Insert : std::uint8_t {
    Added,
    Completed,     // the part was the last missing one
    AlreadyThere,  // duplicate
    TooOld,        // the tick is older than the window
    Contradicts,   // invalid, or does not match the parts that are already there
  };
  /// A decoded part. Its bodies belong to [first, first + bodies.size()) of `ids`, or to the
  /// `chosen` indices.
  struct Part {
    state::Tick tick;
    std::uint32_t world_revision = 0;
    MovingIds ids;
    std::uint8_t part = 0, parts = 1;
    std::uint32_t first = 0;
    std::vector<protocol::QuantizedBody> bodies;
    std::vector<std::uint32_t> chosen;  // indices in `ids`; empty: consecutive from `first`
    protocol::precise::Bodies precise;  // precise states of `bodies`, or empty
    std::uint8_t skipped = 0;  // number of snapshots that were skipped right before this one
    std::vector<protocol::Teleport> teleports{};
    /// True if the part arrived as a keyframe blob. The snapshot is then whole, and replaces a
    /// snapshot of the same tick that is not whole.
    bool is_keyframe = false;
  };
  Insert insert(Part part);

  const std::deque<BufferedSnapshot>& entries() const { return entries_; }
  const BufferedSnapshot* at(state::Tick tick) const;
  /// Returns the bodies of the newest snapshot that is whole and precise; null if there is none.
  std::optional<state::Snapshot> newest_states() const;
  /// Returns the tick of the newest complete snapshot; null if there is none.
  std::optional<state::Tick> newest_complete() const;
  protocol::SnapshotAck ack() const;

  /// Returns the fraction of parts that were lost, 0..1. It covers the last `loss_ticks` without
  /// the newest `late_ticks`. The server sends a snapshot every `interval_ticks`. Snapshots that
  /// the server skipped do not count as lost.
  double loss(std::uint32_t interval_ticks) const;
  /// Returns the number of snapshots that still missed parts when a snapshot `late_ticks` newer had
  /// arrived.
  std::uint64_t incomplete() const { return incomplete_; }

 private:
  BufferedSnapshot* open(const Part& part);
  void bound();

  std::deque<BufferedSnapshot> entries_;
  std::size_t bodies_held_ = 0;
  std::uint64_t incomplete_ = 0;
  /// Tick of the first part that did not come from a keyframe. Losses are counted from here.
  std::optional<state::Tick> first_;
};

}  // namespace jostle::client
