#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/context/held_input.h"
#include "protocol/context/references.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace jostle::protocol::context {

/// Between the older reference of a foreseen part and its snapshot.
inline constexpr std::int32_t max_foreseen_ticks = 32;

/// A part with this many bytes holds one body, and what all players hold, whatever they do.
inline constexpr std::size_t min_foreseen_bytes = 512;

/// What a simulation expects of all bodies of a snapshot, and from what.
struct Expectation {
  std::span<const ForeseenBody> bodies;  // as many as the snapshot has
  /// Of each player that the simulation steers, one after the other: those of the ticks after
  /// `previous`, that of the snapshot the last. At most max_leading_bodies players, and
  /// max_foreseen_ticks.
  std::span<const HeldInput> inputs;
};

/// Codec v3: codec v2 where both ends run a simulation of the world. `content` has one run, its
/// references not the spawn poses. Where the expectation is worse than going on as before, and
/// where none is given, parts are those of v2 behind one bit. Deterministic as v2 is, given that
/// the simulation is.
std::vector<EncodedPart> encode_foreseen_parts(const Content& content,
                                               const std::optional<Expectation>& expectation,
                                               const BaselineLookup& lookup,
                                               std::size_t max_payload_bytes);

/// Where bodies are expected that stood at a pair of references: as many as the world has that
/// move, valid until the next call; nothing where a reference is not held.
using Foresee = std::function<std::span<const ForeseenBody>(const ReferencePair& references,
                                                            std::span<const HeldInput> inputs)>;

/// The bodies of one part. `players` is how many the simulation steers.
base::Result<DecodedPart, DecodeError> decode_foreseen_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, std::span<const BodyFacts> facts,
    const BaselineLookup& lookup, std::size_t players, const Foresee& foresee);

}  // namespace jostle::protocol::context
