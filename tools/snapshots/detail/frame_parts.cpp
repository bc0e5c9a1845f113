#include "tools/snapshots/detail/frame_parts.h"

namespace jostle::snapshots::detail {

std::vector<state::BodyId> ids_of(std::size_t count) {
  std::vector<state::BodyId> ids;
  for (std::uint32_t id = 1; ids.size() < count; ++id)
    ids.push_back({id});
  return ids;
}

protocol::QuantizedSnapshot snapshot_of(const Frame& frame) {
  protocol::QuantizedSnapshot snapshot;
  snapshot.tick = now;
  snapshot.bodies = frame;
  snapshot.ids = ids_of(frame.size());
  return snapshot;
}

state::Tick baseline_of(const Reference& reference) {
  return now + -static_cast<std::int64_t>(reference.age);
}
state::Tick previous_of(const Reference& reference) {
  return baseline_of(reference) + -static_cast<std::int64_t>(reference.gap);
}
protocol::BaselineLookup lookup_in(const Reference& reference) {
  return [&reference](state::BodyId id, state::Tick tick) {
    const Frame& frame = tick == baseline_of(reference) ? *reference.frame : *reference.previous;
    return &frame[id.value - 1];
  };
}

std::vector<Part> parts_of(std::vector<protocol::EncodedPart> encoded) {
  std::vector<Part> parts;
  parts.reserve(encoded.size());
  for (protocol::EncodedPart& part : encoded)
    parts.push_back({part.first, part.count, std::move(part.payload)});
  return parts;
}

base::Result<Frame, protocol::DecodeError> bodies_of(
    base::Result<protocol::DecodedPart, protocol::DecodeError> part) {
  if (!part) return part.error();
  if (!part->chosen.empty()) return protocol::DecodeError::OutOfRange;
  return std::move(part->bodies);
}

}  // namespace jostle::snapshots::detail
