#include "protocol/context/predicted_codec.h"

#include "protocol/context/body_facts.h"
#include "protocol/context/coders.h"
#include "protocol/context/detail/code_part.h"
#include "protocol/context/detail/input_coder.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <utility>

namespace jostle::protocol::context {
namespace {

using Encoder = PartEncoder<PredictedLayout>;
using Decoder = PartDecoder<PredictedLayout>;

/// Probability, in the range coder, of the flag that a part uses the prediction.
constexpr Probability likely_predicted = 63U << (probability_bits - 6);

/// Returns the number of ticks from `pair.previous` to `tick`; null if `previous` is the spawn pose
/// or more than max_predicted_ticks old.
std::optional<std::size_t> predicted_ticks(const BaselinePair& pair, state::Tick tick) {
  if (pair.previous.number == 0 || tick - pair.previous > max_predicted_ticks) return std::nullopt;
  return static_cast<std::size_t>(tick - pair.previous);
}

/// Estimates the cost of coding `rotation` relative to `expected`, in 1/16 bit.
int turn_cost(const IntQuat& expected, const IntQuat& rotation) {
  int cost = 0;
  for (const std::int32_t axis : turn_between(expected, rotation))
    cost += log_size(axis / 32);
  return cost;
}

/// Estimates the cost of coding the position relative to constant velocity, minus its cost relative
/// to the prediction, in 1/16 bit.
int gain_of_position(const QuantizedBody& body, const BodyReference& reference,
                     const BaselinePrediction& predicted) {
  const QuantizedBody &now = *reference.baseline, &before = *reference.previous;
  int gain = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t position = body.position[i];
    const std::int64_t expected =
        predicted.is_still ? now.position[i] : (predicted.position[i] + predicted_steps / 2) >> 4;
    std::int64_t going_on = now.position[i];
    if (reference.gap_ticks > 0)
      going_on += (std::int64_t{now.position[i]} - before.position[i]) * reference.age_ticks /
                  reference.gap_ticks;
    gain += log_size(position - going_on) - log_size(position - expected);
  }
  return gain;
}
int gain_of_rotation(const QuantizedBody& body, const BodyReference& reference,
                     const BaselinePrediction& predicted) {
  const IntQuat rotation = unpack_rotation(body), now = unpack_rotation(*reference.baseline);
  IntQuat going_on = now;
  if (reference.gap_ticks > 0) {
    IntVec3 turn = turn_between(unpack_rotation(*reference.previous), now);
    for (std::int32_t& axis : turn)
      axis = static_cast<std::int32_t>(std::clamp<std::int64_t>(
          std::int64_t{axis} * reference.age_ticks / reference.gap_ticks, -one, one));
    going_on = multiply(from_vector(turn), now);
  }
  return turn_cost(going_on, rotation) -
         turn_cost(predicted.is_still ? now : predicted.rotation, rotation);
}

/// Estimates whether the snapshot gets shorter with the prediction. Rotations are costly to
/// evaluate, so only those of every fourth moving body are included.
bool is_prediction_baseline_better(const detail::Plan& plan,
                                   std::span<const BaselinePrediction> predicted) {
  constexpr int share = 4;
  std::int64_t gain = 0;
  int moving = 0;
  for (std::size_t i = 0; i < plan.indices.size(); ++i) {
    const BaselinePrediction& expected = predicted[plan.indices[i]];
    const BodyReference& reference = plan.references[i];
    if (!expected.is_known) continue;
    if (expected.is_still && is_same_pose(*reference.baseline, *reference.previous)) continue;
    gain += gain_of_position(plan.bodies[i], reference, expected);
    if (moving++ % share == 0)
      gain += share * gain_of_rotation(plan.bodies[i], reference, expected);
  }
  return gain > 0;
}

/// Encodes a range of bodies. `inputs` is null if the prediction is not used.
detail::Attempt encode_range(detail::Plan& plan,
                             const std::optional<std::span<const QuantizedInput>>& inputs,
                             std::size_t from, std::size_t count, std::size_t max_bytes) {
  detail::Attempt attempt{detail::part_of(plan, from, count), 0};
  EncodedPart& part = attempt.part;
  Encoder coder(trained_predicted_priors());
  detail::code_chosen(coder, part.first, part.count, part.chosen);
  coder.explicit_bit(likely_predicted, inputs.has_value());
  if (!inputs) {
    PartEncoder<PlainLayout> plain(trained_priors(), coder.take_range());
    attempt.coded = detail::encode_plain(plain, plan, from, count, max_bytes);
    part.payload = plain.take();
    return attempt;
  }
  BaselinePair pair = plan.pairs[from];
  detail::code_pair(coder, pair, plan.tick);
  std::vector<QuantizedInput> held(inputs->begin(), inputs->end());
  detail::InputCoder<Encoder>(coder).code(held, *predicted_ticks(pair, plan.tick));
  attempt.coded = detail::encode_bodies(coder, plan, from, count, max_bytes);
  part.payload = coder.take();
  return attempt;
}

}  // namespace

std::vector<EncodedPart> encode_predicted_parts(const Content& content,
                                                const std::optional<Expectation>& expectation,
                                                const BaselineLookup& lookup,
                                                std::size_t max_payload_bytes) {
  JOSTLE_ASSERT(max_payload_bytes >= min_predicted_bytes);
  detail::Plan plan = detail::make_plan(content, lookup);
  std::optional<std::span<const QuantizedInput>> inputs;
  if (expectation) {
    JOSTLE_ASSERT(content.runs.size() == 1 &&
                  expectation->bodies.size() == content.snapshot->bodies.size());
    const auto ticks = predicted_ticks(content.runs[0].references, plan.tick);
    JOSTLE_ASSERT(ticks && expectation->inputs.size() % *ticks == 0 &&
                  expectation->inputs.size() <= *ticks * max_leading_bodies);
    if (is_prediction_baseline_better(plan, expectation->bodies)) {
      inputs = expectation->inputs;
      for (std::size_t i = 0; i < plan.indices.size(); ++i)
        plan.references[i].predicted = &expectation->bodies[plan.indices[i]];
    }
  }
  return detail::fill_parts(plan, max_payload_bytes,
                            [&](std::size_t from, std::size_t count, std::size_t max_bytes) {
                              return encode_range(plan, inputs, from, count, max_bytes);
                            });
}

base::Result<DecodedPart, DecodeError> decode_predicted_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, std::span<const BodyFacts> facts,
    const BaselineLookup& lookup, std::size_t players, const PredictBaseline& predict_baseline) {
  JOSTLE_ASSERT(players <= max_leading_bodies);
  if (payload.size() > max_part_payload_bytes()) return DecodeError::TooLarge;
  if (header.count > ids.size() || header.first > ids.size() - header.count ||
      facts.size() != ids.size())
    return DecodeError::OutOfRange;
  const detail::DecodeSide side{header, ids, facts, lookup};
  Decoder coder(trained_predicted_priors(), payload);
  DecodedPart part;
  detail::code_chosen(coder, header.first, header.count, part.chosen);
  if (!coder.explicit_bit(likely_predicted, false)) {
    if (!coder.is_sound()) return DecodeError::OutOfRange;
    PartDecoder<PlainLayout> plain(trained_priors(), coder.range());
    return detail::decode_plain(plain, side, std::move(part));
  }
  BaselinePair pair;
  detail::code_pair(coder, pair, header.tick);
  const auto ticks = predicted_ticks(pair, header.tick);
  if (!coder.is_sound() || !ticks) return DecodeError::OutOfRange;
  std::vector<QuantizedInput> inputs(players * *ticks);
  detail::InputCoder<Decoder>(coder).code(inputs, *ticks);
  if (!coder.is_sound()) return DecodeError::OutOfRange;
  const std::vector<BaselinePair> pairs(part.chosen.empty() ? header.count : part.chosen.size(),
                                        pair);
  std::vector<BodyReference> references;
  if (!detail::find_references(side, part.chosen, pairs, references))
    return DecodeError::UnknownBaseline;
  const std::span<const BaselinePrediction> predicted = predict_baseline(pair, inputs);
  if (predicted.size() != ids.size()) return DecodeError::UnknownBaseline;
  for (std::size_t i = 0; i < references.size(); ++i)
    references[i].predicted = &predicted[part.chosen.empty() ? header.first + i : part.chosen[i]];
  return detail::decode_bodies(coder, references, std::move(part));
}

}  // namespace jostle::protocol::context
