#include "protocol/context/layout.h"
#include "shared/base/hash.h"

namespace jostle::protocol::context {
namespace {

// Written by tools/priors. A change of it is a change of the wire: see tests/protocol_context.
constexpr Priors priors{
#include "protocol/context/priors.inc"
};

}  // namespace

const Priors& trained_priors() {
  return priors;
}

std::uint64_t trained_priors_hash() {
  static const std::uint64_t value = hash(priors);
  return value;
}

std::uint64_t hash(const Priors& of) {
  base::Hasher hasher;
  for (const std::int8_t value : of.log_odds)
    hasher.add(std::int32_t{value});
  for (const std::int16_t value : of.weights)
    hasher.add(std::int32_t{value});
  for (const std::int32_t value : of.coefficients)
    hasher.add(value);
  return hasher.finish();
}

}  // namespace jostle::protocol::context
