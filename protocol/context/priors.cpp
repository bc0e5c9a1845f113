#include "protocol/context/layout.h"

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

}  // namespace jostle::protocol::context
