#include "protocol/context/layout.h"
#include "shared/base/hash.h"

namespace jostle::protocol::context {
namespace {

// Written by tools/priors. A change of it is a change of the wire: see tests/protocol_context.
constexpr PlainPriors priors{
#include "protocol/context/priors.inc"
};
constexpr ForeseenPriors foreseen_priors{
#include "protocol/context/foreseen_priors.inc"
};

template <class Layout>
std::uint64_t hash_of(const Priors<Layout>& of) {
  base::Hasher hasher;
  for (const std::int8_t value : of.log_odds)
    hasher.add(std::int32_t{value});
  for (const std::int16_t value : of.weights)
    hasher.add(std::int32_t{value});
  for (const std::int32_t value : of.coefficients)
    hasher.add(value);
  return hasher.finish();
}

}  // namespace

const PlainPriors& trained_priors() {
  return priors;
}
const ForeseenPriors& trained_foreseen_priors() {
  return foreseen_priors;
}

std::uint64_t hash(const PlainPriors& of) {
  return hash_of(of);
}
std::uint64_t hash(const ForeseenPriors& of) {
  return hash_of(of);
}

std::uint64_t trained_priors_hash() {
  static const std::uint64_t value = hash(priors);
  return value;
}
std::uint64_t trained_foreseen_priors_hash() {
  static const std::uint64_t value = hash(foreseen_priors);
  return value;
}

}  // namespace jostle::protocol::context
