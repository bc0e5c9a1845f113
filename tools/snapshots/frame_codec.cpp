#include "tools/snapshots/frame_codec.h"

#include "protocol/context/context_codec.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/bytes.h"

#include <algorithm>
#include <span>
#include <utility>

namespace jostle::snapshots {
namespace {

using protocol::QuantizedBody;

/// 17 bytes a body, against nothing.
class RawCodec : public FrameCodec {
 public:
  std::vector<Part> encode(const Frame& frame, const Reference&) const override {
    const std::size_t most = protocol::max_part_payload_bytes() / body_bytes;
    std::vector<Part> parts;
    for (std::size_t first = 0; first < frame.size(); first += most) {
      const std::size_t count = std::min(most, frame.size() - first);
      base::ByteWriter writer;
      for (const QuantizedBody& body : std::span(frame).subspan(first, count))
        write(writer, body);
      parts.push_back(
          {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), writer.take()});
    }
    return parts;
  }
  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference&) const override {
    Frame frame;
    for (const Part& part : parts) {
      if (part.payload.size() != part.count * body_bytes)
        return std::string("a part of another length");
      base::ByteReader reader(part.payload);
      for (std::uint32_t i = 0; i < part.count; ++i)
        frame.push_back(read(reader));
    }
    return frame;
  }

 private:
  static constexpr std::size_t body_bytes = 3 * 4 + 5;

  static void write(base::ByteWriter& writer, const QuantizedBody& body) {
    for (const std::int32_t x : body.position)
      writer.i32(x);
    std::uint32_t rotation = body.largest;
    for (const std::uint16_t x : body.smallest)
      rotation = rotation << protocol::rotation_bits | x;
    writer.u32(rotation);
    writer.boolean(body.is_awake);
  }
  static QuantizedBody read(base::ByteReader& reader) {
    QuantizedBody body;
    for (std::int32_t& x : body.position)
      x = reader.i32();
    std::uint32_t rotation = reader.u32();
    for (std::size_t i = body.smallest.size(); i-- > 0; rotation >>= protocol::rotation_bits)
      body.smallest[i] = static_cast<std::uint16_t>(rotation & protocol::rotation_max);
    body.largest = static_cast<std::uint8_t>(rotation & 3U);
    body.is_awake = reader.boolean();
    return body;
  }
};

/// Any tick, later than all ages.
constexpr state::Tick now{1'000'000};

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
  for (protocol::EncodedPart& part : encoded)
    parts.push_back({part.first, part.count, std::move(part.payload)});
  return parts;
}

/// All parts together; `decode` takes the header and the payload of one.
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

class BitPackedCodec : public FrameCodec {
 public:
  std::vector<Part> encode(const Frame& frame, const Reference& reference) const override {
    const protocol::BaselineRun run{static_cast<std::uint32_t>(frame.size()),
                                    baseline_of(reference)};
    return parts_of(protocol::encode_parts(snapshot_of(frame), {&run, 1}, lookup_in(reference),
                                           protocol::max_part_payload_bytes()));
  }
  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference& reference) const override {
    const std::vector<state::BodyId> ids = ids_of(reference.frame->size());
    return frame_of(parts, [&](const protocol::SnapshotHeader& header, const auto& payload) {
      return protocol::decode_part(header, payload, ids, lookup_in(reference));
    });
  }
};

class ContextCodec : public FrameCodec {
 public:
  std::vector<Part> encode(const Frame& frame, const Reference& reference) const override {
    const protocol::context::ReferenceRun run{static_cast<std::uint32_t>(frame.size()),
                                              {baseline_of(reference), previous_of(reference)}};
    const protocol::QuantizedSnapshot snapshot = snapshot_of(frame);
    const auto facts = facts_of(frame.size());
    return parts_of(protocol::context::encode_parts({&snapshot, facts, {}, {&run, 1}},
                                                    lookup_in(reference),
                                                    protocol::max_part_payload_bytes()));
  }
  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference& reference) const override {
    const std::vector<state::BodyId> ids = ids_of(reference.frame->size());
    const auto facts = facts_of(ids.size());
    return frame_of(parts, [&](const protocol::SnapshotHeader& header, const auto& payload) {
      return bodies_of(
          protocol::context::decode_part(header, payload, ids, facts, lookup_in(reference)));
    });
  }

 private:
  static base::Result<Frame, protocol::DecodeError> bodies_of(
      base::Result<protocol::DecodedPart, protocol::DecodeError> part) {
    if (!part) return part.error();
    if (!part->chosen.empty()) return protocol::DecodeError::OutOfRange;  // frames are whole
    return std::move(part->bodies);
  }
  /// The player's cube of 1.5 m, and the small ones of 0.4 m.
  static std::vector<protocol::context::BodyFacts> facts_of(std::size_t count) {
    std::vector<protocol::context::BodyFacts> facts(count, {102, false});
    facts[0] = {384, true};
    return facts;
  }
};

}  // namespace

std::unique_ptr<FrameCodec> make_codec(std::string_view name) {
  if (name == "v0") return std::make_unique<RawCodec>();
  if (name == "v1") return std::make_unique<BitPackedCodec>();
  if (name == "v2") return std::make_unique<ContextCodec>();
  return nullptr;
}

}  // namespace jostle::snapshots
