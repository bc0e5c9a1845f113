#pragma once

#include <cstdint>

namespace jostle::physics {

/// Hashes of everything that the next step reads, one per subsystem, to locate where a divergence
/// began. Equal hashes on two machines mean equal bits.
struct StateHash {
  std::uint64_t bodies = 0;
  std::uint64_t shapes = 0;
  std::uint64_t contacts = 0;
  std::uint64_t islands = 0;
  std::uint64_t joints = 0;
  // fields, and charges and ignores_force_fields of bodies; 0 in a world that never had a field and
  // in which no body has a charge or ignores fields
  std::uint64_t fields = 0;
  std::uint64_t particles = 0;  // 0 in a world that never had a particle set
  std::uint64_t total = 0;      // hash of the hashes above and of the options

  bool operator==(const StateHash&) const = default;
};

}  // namespace jostle::physics
