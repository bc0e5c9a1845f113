#include "tools/snapshots/detail/foreseen_frame_codec.h"

#include "protocol/context/foreseen_codec.h"
#include "shared/foresight/foresight.h"
#include "tools/snapshots/cpu_time.h"
#include "tools/snapshots/detail/frame_parts.h"
#include "tools/snapshots/katamari_frames.h"

#include <optional>

namespace jostle::snapshots::detail {
namespace {

using protocol::context::ForeseenBody;
using protocol::context::HeldInput;
using protocol::context::ReferencePair;

class ForeseenCodec : public FrameCodec {
 public:
  explicit ForeseenCodec(const scene::SceneDef& scene)
      : foresight_(scene, frames_per_second, cast_of_frames(scene)) {}

  bool needs_inputs() const override { return true; }

  std::vector<Part> encode(const Frame& frame, const Reference& reference,
                           double& foresight_us) const override {
    const auto foreseen = foresee(reference, reference.inputs, foresight_us);
    const protocol::context::ReferenceRun run{static_cast<std::uint32_t>(frame.size()),
                                              {baseline_of(reference), previous_of(reference)}};
    const protocol::QuantizedSnapshot snapshot = snapshot_of(frame);
    const auto facts = facts_of_frames(frame.size());
    return parts_of(protocol::context::encode_foreseen_parts(
        {&snapshot, facts, {}, {&run, 1}},
        protocol::context::Expectation{foreseen, reference.inputs}, lookup_in(reference),
        protocol::max_part_payload_bytes()));
  }

  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference& reference,
                                          double& foresight_us) const override {
    const std::vector<state::BodyId> ids = ids_of(reference.frame->size());
    const auto facts = facts_of_frames(ids.size());
    // All parts of a frame carry the same inputs, so predict only once.
    std::vector<ForeseenBody> foreseen;
    std::vector<HeldInput> foreseen_from;
    const auto foresee_once = [&](const ReferencePair& pair, std::span<const HeldInput> inputs) {
      if (pair != ReferencePair{baseline_of(reference), previous_of(reference)})
        return std::span<const ForeseenBody>{};
      if (foreseen.empty() ||
          !std::equal(inputs.begin(), inputs.end(), foreseen_from.begin(), foreseen_from.end())) {
        foreseen = foresee(reference, inputs, foresight_us);
        foreseen_from.assign(inputs.begin(), inputs.end());
      }
      return std::span<const ForeseenBody>(foreseen);
    };
    return frame_of(parts, [&](const protocol::SnapshotHeader& header, const auto& payload) {
      return bodies_of(
          protocol::context::decode_foreseen_part(header, payload, ids, facts, lookup_in(reference),
                                                  foresight_.steered_count(), foresee_once));
    });
  }

 private:
  std::vector<ForeseenBody> foresee(const Reference& reference, std::span<const HeldInput> inputs,
                                    double& foresight_us) const {
    const double begin = cpu_us();
    auto foreseen = foresight_.foresee(
        {*reference.frame, *reference.previous, static_cast<std::int32_t>(reference.age),
         static_cast<std::int32_t>(reference.gap), inputs},
        {1});
    foresight_us += cpu_us() - begin;
    return foreseen;
  }

  foresight::Foresight foresight_;
};

}  // namespace

std::unique_ptr<FrameCodec> make_foreseen_codec(const scene::SceneDef& scene) {
  return std::make_unique<ForeseenCodec>(scene);
}

}  // namespace jostle::snapshots::detail
