#pragma once

#include "protocol/context/references.h"
#include "protocol/snapshot_codec.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::protocol::context {

/// What a body is coded against. A baseline at tick 0 is the spawn pose. `previous` is an
/// acknowledged tick before the baseline, the nearer the better, or the baseline itself where there
/// is none: of how a body moved from the one to the other follows how it goes on.
struct ReferencePair {
  state::Tick baseline, previous;

  bool operator==(const ReferencePair&) const = default;
};
/// Different pairs in one part.
inline constexpr std::size_t max_reference_pairs = 64;

/// Consecutive bodies that share their references.
struct ReferenceRun {
  std::uint32_t count = 0;
  ReferencePair references;

  bool operator==(const ReferenceRun&) const = default;
};

/// A part with this many bytes holds one body whatever it does: some 80 bytes when every bit of it
/// is as unlikely as may be, and its references.
inline constexpr std::size_t min_part_bytes = 128;

/// What a snapshot's parts are to hold, and against what.
struct Content {
  const QuantizedSnapshot* snapshot = nullptr;
  std::span<const BodyFacts> facts;  // as many as bodies
  /// The bodies that are sent, by index, ascending; nothing: all. The others stay as the receiver
  /// has them.
  std::optional<std::span<const std::uint32_t>> chosen;
  std::span<const ReferenceRun> runs;  // of those that are sent, in order
};

/// Codec v2: all that is sent of a snapshot in parts of at most `max_payload_bytes` each (at least
/// min_part_bytes), every part decodable alone; one part at least. What the runs name must be there
/// for `lookup`.
///
/// Each bit is coded with a probability that static tables give for what both ends know: the
/// references and what stands before it in the part. Nothing adapts and nothing is kept, so a part
/// decodes in any order and to the same bits on every machine.
///
/// A world that moves against all priors may need more than max_snapshot_parts: use codec v1 then.
std::vector<EncodedPart> encode_parts(const Content& content, const BaselineLookup& lookup,
                                      std::size_t max_payload_bytes);

/// The bodies of one part. `ids` and `facts` are of the moving bodies of the header's revision.
/// Reads nothing but its arguments.
base::Result<DecodedPart, DecodeError> decode_part(const SnapshotHeader& header,
                                                   std::span<const std::byte> payload,
                                                   std::span<const state::BodyId> ids,
                                                   std::span<const BodyFacts> facts,
                                                   const BaselineLookup& lookup);

}  // namespace jostle::protocol::context
