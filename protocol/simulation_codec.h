#pragma once

#include "protocol/decode_error.h"
#include "protocol/world_codec.h"
#include "shared/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::protocol {

/// All that a simulation is made of, for clients that run one themselves: the content of a
/// Simulation blob.
struct SimulationStart {
  std::string scene_file;  // its name, for messages
  std::string scene_text;
  std::uint64_t seed = 0;
  int tick_rate_hz = 60;
  std::vector<std::byte> state;  // as sim::Simulation::save writes it

  bool operator==(const SimulationStart&) const = default;
};

/// Contract: at most max_blob_bytes when encoded.
Blob encode_simulation(const SimulationStart& start);
/// Neither text nor state are looked into: they are a stranger's.
base::Result<SimulationStart, DecodeError> decode_simulation(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
