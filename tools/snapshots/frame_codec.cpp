#include "tools/snapshots/frame_codec.h"

#include "protocol/context/context_codec.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/bytes.h"
#include "tools/snapshots/detail/frame_parts.h"
#include "tools/snapshots/detail/predicted_frame_codec.h"
#include "tools/snapshots/katamari_frames.h"

#include <algorithm>
#include <span>
#include <utility>

namespace jostle::snapshots {
namespace {

using namespace detail;

using protocol::QuantizedBody;

/// Codec v0: 17 bytes per body, without a baseline.
class RawCodec : public FrameCodec {
 public:
  std::vector<Part> encode(const Frame& frame, const Reference&, double&) const override {
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
  base::Result<Frame, std::string> decode(const std::vector<Part>& parts, const Reference&,
                                          double&) const override {
    Frame frame;
    for (const Part& part : parts) {
      if (part.payload.size() != part.count * body_bytes)
        return std::string("a part has the wrong length");
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

class BitPackedCodec : public FrameCodec {
 public:
  std::vector<Part> encode(const Frame& frame, const Reference& reference, double&) const override {
    const protocol::BaselineRun run{static_cast<std::uint32_t>(frame.size()),
                                    baseline_of(reference)};
    return parts_of(protocol::encode_parts(snapshot_of(frame), {&run, 1}, lookup_in(reference),
                                           protocol::max_part_payload_bytes()));
  }
  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference& reference, double&) const override {
    const std::vector<state::BodyId> ids = ids_of(reference.frame->size());
    return frame_of(parts, [&](const protocol::SnapshotHeader& header, const auto& payload) {
      return protocol::decode_part(header, payload, ids, lookup_in(reference));
    });
  }
};

class ContextCodec : public FrameCodec {
 public:
  std::vector<Part> encode(const Frame& frame, const Reference& reference, double&) const override {
    const protocol::context::ReferenceRun run{static_cast<std::uint32_t>(frame.size()),
                                              {baseline_of(reference), previous_of(reference)}};
    const protocol::QuantizedSnapshot snapshot = snapshot_of(frame);
    const auto facts = facts_of_frames(frame.size());
    return parts_of(protocol::context::encode_parts({&snapshot, facts, {}, {&run, 1}},
                                                    lookup_in(reference),
                                                    protocol::max_part_payload_bytes()));
  }
  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference& reference, double&) const override {
    const std::vector<state::BodyId> ids = ids_of(reference.frame->size());
    const auto facts = facts_of_frames(ids.size());
    return frame_of(parts, [&](const protocol::SnapshotHeader& header, const auto& payload) {
      return bodies_of(
          protocol::context::decode_part(header, payload, ids, facts, lookup_in(reference)));
    });
  }
};

}  // namespace

std::unique_ptr<FrameCodec> make_codec(std::string_view name, const scene::SceneDef* scene) {
  if (name == "v0") return std::make_unique<RawCodec>();
  if (name == "v1") return std::make_unique<BitPackedCodec>();
  if (name == "v2") return std::make_unique<ContextCodec>();
  if (name == "v3" && scene != nullptr) return make_predicted_codec(*scene);
  return nullptr;
}

}  // namespace jostle::snapshots
