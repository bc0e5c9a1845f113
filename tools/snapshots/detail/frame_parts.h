#pragma once

#include "protocol/context/references.h"
#include "protocol/snapshot_codec.h"
#include "tools/snapshots/frame_codec.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Conversions between frames and the snapshots of a session whose only bodies are those of a frame.

namespace jostle::snapshots::detail {

/// An arbitrary tick, greater than all ages.
inline constexpr state::Tick now{1'000'000};

std::vector<state::BodyId> ids_of(std::size_t count);
protocol::QuantizedSnapshot snapshot_of(const Frame& frame);
state::Tick baseline_of(const Reference& reference);
state::Tick previous_of(const Reference& reference);
/// Returns a function that looks up bodies in the baseline and the previous frame of `reference`.
/// `reference` must outlive the function.
protocol::BaselineLookup lookup_in(const Reference& reference);
std::vector<Part> parts_of(std::vector<protocol::EncodedPart> encoded);
/// Returns the bodies of a decoded part or its error. A part with only chosen bodies is also an
/// error, because frames contain all bodies.
base::Result<Frame, protocol::DecodeError> bodies_of(
    base::Result<protocol::DecodedPart, protocol::DecodeError> part);

/// Decodes all parts and returns their bodies, or the first error. `decode` takes the header and
/// the payload of one part.
template <typename Decode>
base::Result<Frame, std::string> frame_of(const std::vector<Part>& parts, const Decode& decode) {
  Frame frame;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    protocol::SnapshotHeader header;
    header.tick = now;
    header.part = static_cast<std::uint8_t>(i);
    header.parts = static_cast<std::uint8_t>(parts.size());
    header.first = parts[i].first;
    header.count = parts[i].count;
    auto bodies = decode(header, parts[i].payload);
    if (!bodies) return std::string(protocol::describe(bodies.error()));
    frame.insert(frame.end(), bodies->begin(), bodies->end());
  }
  return frame;
}

}  // namespace jostle::snapshots::detail
