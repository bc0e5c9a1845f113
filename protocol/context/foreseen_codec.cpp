#include "protocol/context/foreseen_codec.h"

#include "protocol/context/body_facts.h"
#include "protocol/context/coders.h"
#include "protocol/context/detail/code_part.h"
#include "protocol/context/detail/input_coder.h"
#include "shared/base/assert.h"

#include <algorithm>
#include <utility>

namespace jostle::protocol::context {
namespace {

using Encoder = PartEncoder<ForeseenLayout>;
using Decoder = PartDecoder<ForeseenLayout>;

/// That a part is foreseen.
constexpr Probability likely_foreseen = 63U << (probability_bits - 6);

/// Ticks from the older reference to `tick`, if a simulation may go that far.
std::optional<std::size_t> foreseen_ticks(const ReferencePair& pair, state::Tick tick) {
  if (pair.previous.number == 0 || tick - pair.previous > max_foreseen_ticks) return std::nullopt;
  return static_cast<std::size_t>(tick - pair.previous);
}

/// About what it costs to tell `rotation` from what was expected, in 1/16 bit.
int turn_cost(const IntQuat& expected, const IntQuat& rotation) {
  int cost = 0;
  for (const std::int32_t axis : turn_between(expected, rotation))
    cost += log_size(axis / 32);
  return cost;
}

/// What it costs to tell a body if it goes on as before, less what it costs if it is foreseen.
int gain_of(const QuantizedBody& body, const BodyReference& reference,
            const ForeseenBody& foreseen) {
  const QuantizedBody &now = *reference.baseline, &before = *reference.previous;
  const bool is_moving = reference.gap_ticks > 0 && !is_same_pose(now, before);
  if (foreseen.is_still && !is_moving) return 0;
  int gain = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t position = body.position[i];
    const std::int64_t expected =
        foreseen.is_still ? now.position[i] : (foreseen.position[i] + foreseen_steps / 2) >> 4;
    std::int64_t going_on = now.position[i];
    if (is_moving)
      going_on += (std::int64_t{now.position[i]} - before.position[i]) * reference.age_ticks /
                  reference.gap_ticks;
    gain += log_size(position - going_on) - log_size(position - expected);
  }
  const IntQuat rotation = unpack_rotation(body);
  IntQuat going_on = unpack_rotation(now);
  const IntQuat expected = foreseen.is_still ? going_on : foreseen.rotation;
  if (is_moving) {
    IntVec3 turn = turn_between(unpack_rotation(before), going_on);
    for (std::int32_t& axis : turn)
      axis = static_cast<std::int32_t>(std::clamp<std::int64_t>(
          std::int64_t{axis} * reference.age_ticks / reference.gap_ticks, -one, one));
    going_on = multiply(from_vector(turn), going_on);
  }
  return gain + turn_cost(going_on, rotation) - turn_cost(expected, rotation);
}

/// Whether the part is shorter for what a simulation expects, likely.
bool is_foresight_better(const detail::Plan& plan, std::size_t from, std::size_t count,
                         std::span<const ForeseenBody> foreseen) {
  std::int64_t gain = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    const ForeseenBody& body = foreseen[plan.indices[i]];
    if (body.is_known) gain += gain_of(plan.bodies[i], plan.references[i], body);
  }
  return gain > 0;
}

detail::Attempt encode_range(const detail::Plan& plan,
                             const std::optional<Expectation>& expectation, std::size_t from,
                             std::size_t count, std::size_t max_bytes) {
  detail::Attempt attempt{detail::part_of(plan, from, count), 0};
  EncodedPart& part = attempt.part;
  Encoder coder(trained_foreseen_priors());
  detail::code_chosen(coder, part.first, part.count, part.chosen);
  const bool is_foreseen =
      expectation && is_foresight_better(plan, from, count, expectation->bodies);
  coder.told_bit(likely_foreseen, is_foreseen);
  if (!is_foreseen) {
    PartEncoder<PlainLayout> plain(trained_priors(), coder.take_range());
    attempt.coded = detail::encode_plain(plain, plan, from, count, max_bytes);
    part.payload = plain.take();
    return attempt;
  }
  ReferencePair pair = plan.pairs[from];
  detail::code_pair(coder, pair, plan.tick);
  std::vector<HeldInput> inputs(expectation->inputs.begin(), expectation->inputs.end());
  detail::InputCoder<Encoder>(coder).code(inputs, *foreseen_ticks(pair, plan.tick));
  const auto begin = plan.references.begin() + static_cast<std::ptrdiff_t>(from);
  std::vector<BodyReference> references(begin, begin + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i)
    references[i].foreseen = &expectation->bodies[plan.indices[from + i]];
  attempt.coded = detail::encode_bodies(coder, plan, from, references, max_bytes);
  part.payload = coder.take();
  return attempt;
}

}  // namespace

std::vector<EncodedPart> encode_foreseen_parts(const Content& content,
                                               const std::optional<Expectation>& expectation,
                                               const BaselineLookup& lookup,
                                               std::size_t max_payload_bytes) {
  JOSTLE_ASSERT(max_payload_bytes >= min_foreseen_bytes);
  const detail::Plan plan = detail::make_plan(content, lookup);
  if (expectation) {
    JOSTLE_ASSERT(content.runs.size() == 1 &&
                  expectation->bodies.size() == content.snapshot->bodies.size());
    const auto ticks = foreseen_ticks(content.runs[0].references, plan.tick);
    JOSTLE_ASSERT(ticks && expectation->inputs.size() % *ticks == 0 &&
                  expectation->inputs.size() <= *ticks * max_leading_bodies);
  }
  return detail::fill_parts(plan, max_payload_bytes,
                            [&](std::size_t from, std::size_t count, std::size_t max_bytes) {
                              return encode_range(plan, expectation, from, count, max_bytes);
                            });
}

base::Result<DecodedPart, DecodeError> decode_foreseen_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, std::span<const BodyFacts> facts,
    const BaselineLookup& lookup, std::size_t players, const Foresee& foresee) {
  JOSTLE_ASSERT(players <= max_leading_bodies);
  if (payload.size() > max_part_payload_bytes()) return DecodeError::TooLarge;
  if (header.count > ids.size() || header.first > ids.size() - header.count ||
      facts.size() != ids.size())
    return DecodeError::OutOfRange;
  const detail::DecodeSide side{header, ids, facts, lookup};
  Decoder coder(trained_foreseen_priors(), payload);
  DecodedPart part;
  detail::code_chosen(coder, header.first, header.count, part.chosen);
  if (!coder.told_bit(likely_foreseen, false)) {
    if (!coder.is_sound()) return DecodeError::OutOfRange;
    PartDecoder<PlainLayout> plain(trained_priors(), coder.range());
    return detail::decode_plain(plain, side, std::move(part));
  }
  ReferencePair pair;
  detail::code_pair(coder, pair, header.tick);
  const auto ticks = foreseen_ticks(pair, header.tick);
  if (!coder.is_sound() || !ticks) return DecodeError::OutOfRange;
  std::vector<HeldInput> inputs(players * *ticks);
  detail::InputCoder<Decoder>(coder).code(inputs, *ticks);
  if (!coder.is_sound()) return DecodeError::OutOfRange;
  const std::vector<ReferencePair> pairs(part.chosen.empty() ? header.count : part.chosen.size(),
                                         pair);
  std::vector<BodyReference> references;
  if (!detail::find_references(side, part.chosen, pairs, references))
    return DecodeError::UnknownBaseline;
  const std::span<const ForeseenBody> foreseen = foresee(pair, inputs);
  if (foreseen.size() != ids.size()) return DecodeError::UnknownBaseline;
  for (std::size_t i = 0; i < references.size(); ++i)
    references[i].foreseen = &foreseen[part.chosen.empty() ? header.first + i : part.chosen[i]];
  return detail::decode_bodies(coder, references, std::move(part));
}

}  // namespace jostle::protocol::context
