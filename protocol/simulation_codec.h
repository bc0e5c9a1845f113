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

/// Full state of a simulation, for clients that run it themselves: the content of a Simulation
/// blob.
struct SimulationStart {
  std::string scene_file;  // name of the scene, for error messages
  std::string scene_text;
  std::uint64_t seed = 0;
  int tick_rate_hz = 60;
  std::vector<std::byte> state;  // output of sim::Simulation::save

  bool operator==(const SimulationStart&) const = default;
};

/// Encodes a Simulation blob. Contract: its size is at most max_blob_bytes.
Blob encode_simulation(const SimulationStart& start);
/// Decodes a Simulation blob. Scene text and state are not validated: treat them as untrusted.
base::Result<SimulationStart, DecodeError> decode_simulation(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
