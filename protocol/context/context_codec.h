#pragma once

#include "protocol/context/references.h"
#include "protocol/snapshot_codec.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::protocol::context {

/// The ticks of the two states that a body is encoded against. `baseline` is the newer one; 0: the
/// spawn pose. `previous` is an older acknowledged tick, as near to the baseline as possible, or
/// the baseline itself if there is none. The motion from `previous` to the baseline is
/// extrapolated.
struct BaselinePair {
  state::Tick baseline, previous;

  bool operator==(const BaselinePair&) const = default;
};
/// Maximum number of different pairs in one part.
inline constexpr std::size_t max_reference_pairs = 64;

/// Consecutive bodies with the same baseline pair.
struct ReferenceRun {
  std::uint32_t count = 0;
  BaselinePair references;

  bool operator==(const ReferenceRun&) const = default;
};

/// Minimum value of `max_payload_bytes`, so that one body always fits. A body takes at most about
/// 80 bytes plus its baseline pair, if every bit has the lowest possible probability.
inline constexpr std::size_t min_part_bytes = 128;

/// Input of the encoder: a snapshot, the bodies to send and their baseline pairs.
struct Content {
  const QuantizedSnapshot* snapshot = nullptr;
  std::span<const BodyFacts> facts;  // one per body
  /// Indices of the bodies to send, ascending; null: all. The receiver does not update the other
  /// bodies.
  std::optional<std::span<const std::uint32_t>> chosen;
  std::span<const ReferenceRun> runs;  // baseline pairs of the bodies to send, in order
};

/// Encodes a snapshot with codec 2, in parts of at most `max_payload_bytes` each (at least
/// min_part_bytes). There is at least one part, and each part can be decoded alone. Contract:
/// `lookup` has every state that the runs name.
///
/// Each bit is range-coded with a probability from static tables. The context is what both ends
/// know: the baseline pairs and the preceding bits of the part. The tables never adapt and the
/// codec keeps no state, so parts decode in any order and to the same bits on every machine.
///
/// A world whose motion contradicts the priors may need more than max_snapshot_parts. Use codec 1
/// then.
std::vector<EncodedPart> encode_parts(const Content& content, const BaselineLookup& lookup,
                                      std::size_t max_payload_bytes);

/// Decodes the bodies of one part. `ids` and `facts` are those of the moving bodies of the header's
/// revision. The result depends only on the arguments.
base::Result<DecodedPart, DecodeError> decode_part(const SnapshotHeader& header,
                                                   std::span<const std::byte> payload,
                                                   std::span<const state::BodyId> ids,
                                                   std::span<const BodyFacts> facts,
                                                   const BaselineLookup& lookup);

}  // namespace jostle::protocol::context
