#pragma once

#include "protocol/context/detail/part_coder.h"
#include "protocol/context/detail/part_head.h"
#include "protocol/context/detail/part_plan.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol::context::detail {

/// Encodes the bodies [from, from + count) of a plan without changing them. Returns the number
/// encoded, which is less than `count` if the part has grown beyond `max_bytes`.
template <class Coder>
std::size_t encode_bodies(Coder& coder, Plan& plan, std::size_t from, std::size_t count,
                          std::size_t max_bytes) {
  const auto references = std::span(plan.references).subspan(from, count);
  std::size_t coded = 0;
  PartCoder<Coder>(coder, references).code(std::span(plan.bodies).subspan(from, count), [&] {
    ++coded;
    return coder.max_bytes() <= max_bytes + 4;
  });
  return coded;
}

/// Encodes the rest of a part of codec 2 after its list of bodies: the baseline pairs and the
/// bodies. Returns the same as encode_bodies().
template <class Coder>
std::size_t encode_plain(Coder& coder, Plan& plan, std::size_t from, std::size_t count,
                         std::size_t max_bytes) {
  const auto begin = plan.pairs.begin() + static_cast<std::ptrdiff_t>(from);
  std::vector<BaselinePair> pairs(begin, begin + static_cast<std::ptrdiff_t>(count));
  code_references(coder, std::span(pairs), plan.tick);
  return encode_bodies(coder, plan, from, count, max_bytes);
}

/// Inputs of a decoder other than the encoded bytes.
struct DecodeSide {
  const SnapshotHeader& header;
  std::span<const state::BodyId> ids;
  std::span<const BodyFacts> facts;
  const BaselineLookup& lookup;
};

/// Finds the baseline states of all bodies of the part. `chosen` are the indices of these bodies;
/// empty: the range in the header. `pairs` and `references` have one entry per body. Returns false
/// if a state is no longer stored.
inline bool find_references(const DecodeSide& side, const std::vector<std::uint32_t>& chosen,
                            std::span<const BaselinePair> pairs,
                            std::vector<BodyReference>& references) {
  references.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t at = chosen.empty() ? side.header.first + i : chosen[i];
    if (!find_reference(pairs[i], side.header.tick, side.ids[at], side.facts[at], side.lookup,
                        references[i]))
      return false;
  }
  return true;
}

template <class Coder>
base::Result<DecodedPart, DecodeError> decode_bodies(Coder& coder,
                                                     std::span<const BodyReference> references,
                                                     DecodedPart part) {
  part.bodies.resize(references.size());
  PartCoder<Coder>(coder, references).code(part.bodies, [&] { return coder.is_sound(); });
  if (!coder.is_sound()) return DecodeError::OutOfRange;
  if (!coder.is_whole()) return DecodeError::Malformed;
  return part;
}

/// Decodes the output of encode_plain(). `part` already holds the list of its bodies.
template <class Coder>
base::Result<DecodedPart, DecodeError> decode_plain(Coder& coder, const DecodeSide& side,
                                                    DecodedPart part) {
  const std::size_t count = part.chosen.empty() ? side.header.count : part.chosen.size();
  std::vector<BaselinePair> pairs(count);
  if (coder.is_sound()) code_references(coder, std::span(pairs), side.header.tick);
  if (!coder.is_sound()) return DecodeError::OutOfRange;
  std::vector<BodyReference> references;
  if (!find_references(side, part.chosen, pairs, references)) return DecodeError::UnknownBaseline;
  return decode_bodies(coder, references, std::move(part));
}

}  // namespace jostle::protocol::context::detail
