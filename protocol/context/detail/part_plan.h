#pragma once

#include "protocol/context/context_codec.h"

#include <cstddef>
#include <functional>
#include <vector>

// What goes into which part, the same for codecs v2 and v3.

namespace jostle::protocol::context::detail {

/// False where a reference is not held.
bool find_reference(const ReferencePair& pair, state::Tick tick, state::BodyId id,
                    const BodyFacts& facts, const BaselineLookup& lookup, BodyReference& reference);

/// What is sent, side by side.
struct Plan {
  state::Tick tick;
  bool has_all = true;
  std::vector<std::uint32_t> indices;
  std::vector<QuantizedBody> bodies;
  std::vector<ReferencePair> pairs;
  std::vector<BodyReference> references;
};
Plan make_plan(const Content& content, const BaselineLookup& lookup);

/// A part that may have become too long, and how many bodies were coded until then.
struct Attempt {
  EncodedPart part;
  std::size_t coded = 0;
};
/// The range [from, from + count) of the plan, without its payload.
EncodedPart part_of(const Plan& plan, std::size_t from, std::size_t count);

/// Codes bodies [from, from + count) of a plan; it may stop when the part grows beyond `max_bytes`.
using EncodeRange =
    std::function<Attempt(std::size_t from, std::size_t count, std::size_t max_bytes)>;
/// All of the plan in parts that keep the limit.
std::vector<EncodedPart> fill_parts(const Plan& plan, std::size_t max_payload_bytes,
                                    const EncodeRange& encode);

}  // namespace jostle::protocol::context::detail
