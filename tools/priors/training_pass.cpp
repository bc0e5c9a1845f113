#include "tools/priors/training_pass.h"

#include "protocol/context/detail/input_coder.h"
#include "protocol/context/detail/part_coder.h"
#include "tools/snapshots/katamari_frames.h"

#include <array>
#include <span>

namespace jostle::priors {
namespace {

using namespace protocol::context;

template <class Layout>
void learn_frame(TrainCoder<Layout>& coder, const snapshots::FrameSet& set,
                 const PredictedFrames* predicted, std::size_t frame) {
  const Distance distance = distance_of(frame);
  const std::size_t baseline = frame - distance.age, previous = baseline - distance.gap;
  auto bodies = set.frames[frame];
  const auto facts = snapshots::facts_of_frames(bodies.size());
  std::vector<BaselinePrediction> expected;
  if (predicted != nullptr) {
    expected = expand(predicted->frames[frame], set.frames[baseline]);
    const auto held = std::span(set.inputs).subspan(previous + 1, frame - previous);
    std::vector<QuantizedInput> inputs(held.begin(), held.end());
    detail::InputCoder<TrainCoder<Layout>>(coder).code(inputs, inputs.size());
  }
  std::vector<BodyReference> references(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    references[k] = {&set.frames[baseline][k],
                     &set.frames[previous][k],
                     static_cast<std::int32_t>(distance.age),
                     static_cast<std::int32_t>(distance.gap),
                     facts[k],
                     expected.empty() ? nullptr : &expected[k]};
  }
  detail::PartCoder<TrainCoder<Layout>>(coder, references).code(bodies, [] { return true; });
}

}  // namespace

Distance distance_of(std::size_t frame) {
  constexpr std::array<Distance, 10> distances{
      {{6, 1}, {6, 1}, {6, 1}, {6, 2}, {6, 1}, {3, 1}, {6, 1}, {10, 1}, {6, 1}, {6, 4}}};
  return distances[frame * 7 % distances.size()];
}

template <class Layout>
std::size_t train_pass(TrainCoder<Layout>& coder, const std::vector<snapshots::FrameSet>& sets,
                       const std::vector<PredictedFrames>& predicted, std::size_t stride) {
  std::size_t frames = 0;
  for (std::size_t i = first_frame; i < sets.front().frames.size(); i += stride) {
    // Interleave the sets, so that no set dominates the end of a pass.
    for (std::size_t k = 0; k < sets.size(); ++k) {
      if constexpr (Layout::uses_prediction_baseline) {
        learn_frame(coder, sets[k], &predicted[k], i);
      } else {
        learn_frame(coder, sets[k], nullptr, i);
      }
      ++frames;
    }
  }
  return frames;
}

template std::size_t train_pass(TrainCoder<PlainLayout>&, const std::vector<snapshots::FrameSet>&,
                                const std::vector<PredictedFrames>&, std::size_t);
template std::size_t train_pass(TrainCoder<PredictedLayout>&,
                                const std::vector<snapshots::FrameSet>&,
                                const std::vector<PredictedFrames>&, std::size_t);

}  // namespace jostle::priors
