#pragma once

#include "protocol/context/references.h"
#include "protocol/snapshot_codec.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol::context {

/// Consecutive bodies of a part that share their references. A baseline at tick 0 is the spawn
/// pose. `previous` is an acknowledged tick before the baseline, the nearer the better, or the
/// baseline itself where there is none: of how a body moved from the one to the other follows how
/// it goes on.
struct ReferenceRun {
  std::uint32_t count = 0;
  state::Tick baseline, previous;

  bool operator==(const ReferenceRun&) const = default;
};

/// A part with this many bytes holds one body whatever it does: some 80 bytes when every bit of it
/// is as unlikely as may be, and its references.
inline constexpr std::size_t min_part_bytes = 128;

/// Codec v2: all of `snapshot` in parts of at most `max_payload_bytes` each (at least
/// min_part_bytes), every part decodable alone. `runs` cover all bodies in order, at most
/// max_baseline_runs of them; what they name must be there for `lookup`. `facts` are as many as
/// bodies.
///
/// Each bit is coded with a probability that static tables give for what both ends know: the
/// references and what stands before it in the part. Nothing adapts and nothing is kept, so a part
/// decodes in any order and to the same bits on every machine.
///
/// A world that moves against all priors may need more than max_snapshot_parts: use codec v1 then.
std::vector<EncodedPart> encode_parts(const QuantizedSnapshot& snapshot,
                                      std::span<const ReferenceRun> runs,
                                      std::span<const BodyFacts> facts,
                                      const BaselineLookup& lookup, std::size_t max_payload_bytes);

/// The bodies of one part. `ids` and `facts` are of the moving bodies of the header's revision.
/// Reads nothing but its arguments.
base::Result<std::vector<QuantizedBody>, DecodeError> decode_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, std::span<const BodyFacts> facts,
    const BaselineLookup& lookup);

}  // namespace jostle::protocol::context
