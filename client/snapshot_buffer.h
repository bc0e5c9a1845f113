#pragma once

#include "protocol/limits.h"
#include "protocol/messages.h"
#include "protocol/precise/frame_codec.h"
#include "protocol/quantize.h"
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

/// The bodies of a world revision that move, sorted; shared by all snapshots of the revision.
using MovingIds = std::shared_ptr<const std::vector<state::BodyId>>;

/// What has been decoded of the world at one tick.
struct BufferedSnapshot {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  MovingIds ids;
  std::uint8_t parts = 1;
  std::bitset<protocol::max_snapshot_parts> decoded_parts;
  std::vector<protocol::QuantizedBody> bodies;  // by index in `ids`
  std::vector<bool> is_decoded;                 // by index in `ids`
  /// The same bodies in profile fine or lossless, where that was asked for; else none.
  protocol::precise::Bodies precise;
  std::size_t decoded_bodies = 0;
  bool was_counted = false;  // as left behind
  std::uint8_t skipped = 0;  // snapshots that the server left out right before this one

  /// All parts are there: nothing more will come of this tick.
  bool is_complete() const { return decoded_parts.count() == parts; }
  /// And they hold all bodies, which they do not for a client that is sent some of them.
  bool is_whole() const { return is_complete() && decoded_bodies == bodies.size(); }
  /// The body's state if its part was decoded, else nullptr.
  const protocol::QuantizedBody* find(state::BodyId id) const;
  /// Where that body is, which is decoded, as exactly as it was told.
  math::Pose pose_of(std::size_t index) const;
  bool is_precise() const { return protocol::precise::size_of(precise) > 0; }
  protocol::QuantizedSnapshot copy() const;
};

/// Decoded snapshots in order of ticks: baselines for the decoder, acknowledgements for the server
/// and the past that is shown. Holds the last `window_ticks` ticks, and fewer when their bodies
/// would be more than `max_bodies_held`.
class SnapshotBuffer {
 public:
  /// Somewhat more than the server's window, because parts that overtake each other may still
  /// refer to its far end.
  static constexpr std::uint32_t window_ticks = protocol::baseline_window_ticks + 32;
  /// 66 MiB of states; with their precise ones so many snapshots of that size fit.
  static constexpr std::size_t max_bodies_held = window_ticks * protocol::max_snapshot_bodies;
  static constexpr std::size_t precise_share = 4;  // as which a body counts that has one
  /// So many ticks behind the newest, what is missing is not to be expected any more.
  static constexpr std::uint32_t late_ticks = 32;
  static constexpr std::uint32_t loss_ticks = 160;

  enum class Insert : std::uint8_t {
    Added,
    Completed,     // the last part that was missing
    AlreadyThere,  // duplicate
    TooOld,        // out of the window
    Contradicts,   // does not fit the parts that are there
  };
  /// Puts bodies in their place: [first, first + bodies.size()) of `ids`, or the chosen ones.
  struct Part {
    state::Tick tick;
    std::uint32_t world_revision = 0;
    MovingIds ids;
    std::uint8_t part = 0, parts = 1;
    std::uint32_t first = 0;
    std::vector<protocol::QuantizedBody> bodies;
    std::vector<std::uint32_t> chosen;  // where they belong; none: one after the other
    protocol::precise::Bodies precise;  // those of `bodies`, or none
    std::uint8_t skipped = 0;           // snapshots that were left out right before this one
    /// Came as a blob, on its own: takes the place of the parts of its tick.
    bool is_keyframe = false;
  };
  Insert insert(Part part);

  const std::deque<BufferedSnapshot>& entries() const { return entries_; }
  const BufferedSnapshot* at(state::Tick tick) const;
  /// The bodies of the newest snapshot that is whole and precise.
  std::optional<state::Snapshot> newest_states() const;
  /// Newest complete tick.
  std::optional<state::Tick> newest_complete() const;
  protocol::SnapshotAck ack() const;

  /// Share of the parts that did not come, over the last `loss_ticks` and without the newest
  /// `late_ticks`, if a snapshot is sent every `interval_ticks`. 0..1.
  double loss(std::uint32_t interval_ticks) const;
  /// Snapshots of which parts were still missing when `late_ticks` newer ones had come.
  std::uint64_t incomplete() const { return incomplete_; }

 private:
  BufferedSnapshot* open(const Part& part);
  void bound();

  std::deque<BufferedSnapshot> entries_;
  std::size_t bodies_held_ = 0;
  std::uint64_t incomplete_ = 0;
  /// Losses are counted from here on: nothing was sent before.
  std::optional<state::Tick> first_;
};

}  // namespace jostle::client
