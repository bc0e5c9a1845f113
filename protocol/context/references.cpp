#include "protocol/context/references.h"

#include <cstddef>

namespace jostle::protocol::context {

ForeseenBody as_it_stands(const QuantizedBody& body) {
  ForeseenBody foreseen;
  for (std::size_t i = 0; i < 3; ++i)
    foreseen.position[i] = std::int64_t{body.position[i]} * foreseen_steps;
  foreseen.rotation = unpack_rotation(body);
  foreseen.is_awake = body.is_awake;
  foreseen.is_known = true;
  return foreseen;
}

}  // namespace jostle::protocol::context
