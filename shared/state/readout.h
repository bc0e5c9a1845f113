#pragma once

#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::state {

enum class ReadoutKind : std::uint8_t {
  EnergyChange,  // change of the energy since the scene's start, relative to the initial energy
  Energy,        // J, kinetic energy plus potential energy in gravity and in fields
  Speed,         // m/s, of the centre of mass
  Height,        // m, of the body's frame
};
inline constexpr std::uint8_t readout_kind_count = 4;

inline constexpr std::size_t max_readouts = 16;

/// A value of a body that viewers display.
struct Readout {
  std::string name;
  ReadoutKind kind = ReadoutKind::EnergyChange;
  float value = 0;

  bool operator==(const Readout&) const = default;
};

/// All readouts of a scene at the end of a tick, in the scene's order.
struct Readouts {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<Readout> lines;  // at most max_readouts

  bool operator==(const Readouts&) const = default;
};

}  // namespace jostle::state
