#pragma once

#include "client/snapshot_buffer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::client {

/// Returns the ids 1 to `count`.
inline MovingIds ids_up_to(std::uint32_t count) {
  auto ids = std::make_shared<std::vector<state::BodyId>>();
  for (std::uint32_t i = 1; i <= count; ++i)
    ids->push_back({i});
  return ids;
}

}  // namespace jostle::client
