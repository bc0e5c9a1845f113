#include "tools/snapshots/detail/predicted_frame_codec.h"

#include "protocol/context/predicted_codec.h"
#include "shared/prediction_baseline/prediction_baseline.h"
#include "tools/snapshots/cpu_time.h"
#include "tools/snapshots/detail/frame_parts.h"
#include "tools/snapshots/katamari_frames.h"

#include <optional>

namespace jostle::snapshots::detail {
namespace {

using protocol::context::BaselinePair;
using protocol::context::BaselinePrediction;
using protocol::context::QuantizedInput;

class PredictedCodec : public FrameCodec {
 public:
  explicit PredictedCodec(const scene::SceneDef& scene)
      : prediction_baseline_(scene, frames_per_second, roles_of_frames(scene)) {}

  bool needs_inputs() const override { return true; }

  std::vector<Part> encode(const Frame& frame, const Reference& reference,
                           double& prediction_baseline_us) const override {
    const auto predicted = predict_baseline(reference, reference.inputs, prediction_baseline_us);
    const protocol::context::ReferenceRun run{static_cast<std::uint32_t>(frame.size()),
                                              {baseline_of(reference), previous_of(reference)}};
    const protocol::QuantizedSnapshot snapshot = snapshot_of(frame);
    const auto facts = facts_of_frames(frame.size());
    return parts_of(protocol::context::encode_predicted_parts(
        {&snapshot, facts, {}, {&run, 1}},
        protocol::context::Expectation{predicted, reference.inputs}, lookup_in(reference),
        protocol::max_part_payload_bytes()));
  }

  base::Result<Frame, std::string> decode(const std::vector<Part>& parts,
                                          const Reference& reference,
                                          double& prediction_baseline_us) const override {
    const std::vector<state::BodyId> ids = ids_of(reference.frame->size());
    const auto facts = facts_of_frames(ids.size());
    // All parts of a frame contain the same inputs, so predict only once.
    std::vector<BaselinePrediction> predicted;
    std::vector<QuantizedInput> predicted_from;
    const auto predict_baseline_once = [&](const BaselinePair& pair,
                                           std::span<const QuantizedInput> inputs) {
      if (pair != BaselinePair{baseline_of(reference), previous_of(reference)})
        return std::span<const BaselinePrediction>{};
      if (predicted.empty() ||
          !std::equal(inputs.begin(), inputs.end(), predicted_from.begin(), predicted_from.end())) {
        predicted = predict_baseline(reference, inputs, prediction_baseline_us);
        predicted_from.assign(inputs.begin(), inputs.end());
      }
      return std::span<const BaselinePrediction>(predicted);
    };
    return frame_of(parts, [&](const protocol::SnapshotHeader& header, const auto& payload) {
      return bodies_of(protocol::context::decode_predicted_part(
          header, payload, ids, facts, lookup_in(reference), prediction_baseline_.steered_count(),
          predict_baseline_once));
    });
  }

 private:
  std::vector<BaselinePrediction> predict_baseline(const Reference& reference,
                                                   std::span<const QuantizedInput> inputs,
                                                   double& prediction_baseline_us) const {
    const double begin = cpu_us();
    auto predicted = prediction_baseline_.predict_baseline(
        {*reference.frame, *reference.previous, static_cast<std::int32_t>(reference.age),
         static_cast<std::int32_t>(reference.gap), inputs},
        {1});
    prediction_baseline_us += cpu_us() - begin;
    return predicted;
  }

  prediction_baseline::PredictionBaseline prediction_baseline_;
};

}  // namespace

std::unique_ptr<FrameCodec> make_predicted_codec(const scene::SceneDef& scene) {
  return std::make_unique<PredictedCodec>(scene);
}

}  // namespace jostle::snapshots::detail
