#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/context/quantized_input.h"
#include "protocol/context/references.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace jostle::protocol::context {

/// Maximum number of ticks from the `previous` state of a predicted part to its snapshot.
inline constexpr std::int32_t max_predicted_ticks = 32;

/// Minimum value of `max_payload_bytes`, so that one body and the inputs of all players always fit.
inline constexpr std::size_t min_predicted_bytes = 512;

/// A simulated prediction of all bodies of a snapshot, and the inputs it used.
struct Expectation {
  std::span<const BaselinePrediction> bodies;  // one per body of the snapshot
  /// The inputs of each steered player, player by player: one for each tick after `previous` up to
  /// the snapshot's tick. At most max_leading_bodies players and max_predicted_ticks ticks.
  std::span<const QuantizedInput> inputs;
};

/// Encodes with codec 3: codec 2 plus a prediction. Use it if both sides simulate the world. If
/// `expectation` is null, or if constant velocity predicts better, the parts are those of codec 2
/// with one more bit. The result is as deterministic as the simulation. Contract: with an
/// expectation, `content` has one run, whose states are not the spawn poses and whose `previous` is
/// at most max_predicted_ticks old.
std::vector<EncodedPart> encode_predicted_parts(const Content& content,
                                                const std::optional<Expectation>& expectation,
                                                const BaselineLookup& lookup,
                                                std::size_t max_payload_bytes);

/// Function that predicts all moving bodies of the world from a baseline pair. The result is valid
/// until the next call. It is empty if a state of the pair is no longer stored.
using PredictBaseline = std::function<std::span<const BaselinePrediction>(
    const BaselinePair& references, std::span<const QuantizedInput> inputs)>;

/// Decodes the bodies of one part. `players` is the number of players that the simulation steers.
base::Result<DecodedPart, DecodeError> decode_predicted_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, std::span<const BodyFacts> facts,
    const BaselineLookup& lookup, std::size_t players, const PredictBaseline& predict_baseline);

}  // namespace jostle::protocol::context
