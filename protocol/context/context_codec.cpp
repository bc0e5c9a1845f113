#include "protocol/context/context_codec.h"

#include "protocol/context/coders.h"
#include "protocol/context/detail/code_part.h"
#include "shared/base/assert.h"

#include <utility>

namespace jostle::protocol::context {
namespace {

using Encoder = PartEncoder<PlainLayout>;
using Decoder = PartDecoder<PlainLayout>;

}  // namespace

std::vector<EncodedPart> encode_parts(const Content& content, const BaselineLookup& lookup,
                                      std::size_t max_payload_bytes) {
  JOSTLE_ASSERT(max_payload_bytes >= min_part_bytes);
  detail::Plan plan = detail::make_plan(content, lookup);
  return detail::fill_parts(
      plan, max_payload_bytes, [&](std::size_t from, std::size_t count, std::size_t max_bytes) {
        detail::Attempt attempt{detail::part_of(plan, from, count), 0};
        EncodedPart& part = attempt.part;
        Encoder coder(trained_priors());
        detail::code_chosen(coder, part.first, part.count, part.chosen);
        attempt.coded = detail::encode_plain(coder, plan, from, count, max_bytes);
        part.payload = coder.take();
        return attempt;
      });
}

base::Result<DecodedPart, DecodeError> decode_part(const SnapshotHeader& header,
                                                   std::span<const std::byte> payload,
                                                   std::span<const state::BodyId> ids,
                                                   std::span<const BodyFacts> facts,
                                                   const BaselineLookup& lookup) {
  if (payload.size() > max_part_payload_bytes()) return DecodeError::TooLarge;
  if (header.count > ids.size() || header.first > ids.size() - header.count ||
      facts.size() != ids.size())
    return DecodeError::OutOfRange;
  Decoder coder(trained_priors(), payload);
  DecodedPart part;
  detail::code_chosen(coder, header.first, header.count, part.chosen);
  return detail::decode_plain(coder, {header, ids, facts, lookup}, std::move(part));
}

}  // namespace jostle::protocol::context
