#pragma once

#include "protocol/context/context_codec.h"

#include <cstddef>
#include <functional>
#include <vector>

// Division of a snapshot into parts, shared by codecs 2 and 3.

namespace jostle::protocol::context::detail {

/// Looks up the two states of a baseline pair and fills `reference`. Returns false if one of the
/// states is no longer stored.
bool find_reference(const BaselinePair& pair, state::Tick tick, state::BodyId id,
                    const BodyFacts& facts, const BaselineLookup& lookup, BodyReference& reference);

/// The bodies to send with their baseline pairs and states, as parallel arrays.
struct Plan {
  state::Tick tick;
  bool has_all = true;
  std::vector<std::uint32_t> indices;
  std::vector<QuantizedBody> bodies;
  std::vector<BaselinePair> pairs;
  std::vector<BodyReference> references;
};
Plan make_plan(const Content& content, const BaselineLookup& lookup);

/// A part that may be too long, and the number of bodies that were encoded before the encoder
/// stopped.
struct Attempt {
  EncodedPart part;
  std::size_t coded = 0;
};
/// Returns the range [from, from + count) of the plan as a part without payload.
EncodedPart part_of(const Plan& plan, std::size_t from, std::size_t count);

/// Function that encodes the bodies [from, from + count) of a plan. It may stop when the part grows
/// beyond `max_bytes`.
using EncodeRange =
    std::function<Attempt(std::size_t from, std::size_t count, std::size_t max_bytes)>;
/// Encodes all of the plan in parts of at most `max_payload_bytes` each.
std::vector<EncodedPart> fill_parts(const Plan& plan, std::size_t max_payload_bytes,
                                    const EncodeRange& encode);

}  // namespace jostle::protocol::context::detail
