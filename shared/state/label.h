#pragma once

#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::state {

enum class LabelKind : std::uint8_t {
  EnergyChange,  // change of the energy since the scene's start, relative to the initial energy
  Energy,        // J, kinetic energy plus potential energy in gravity and in fields
  Speed,         // speed of the centre of mass, m/s
  Height,        // height of the origin of the body's frame, m
};
inline constexpr std::uint8_t label_kind_count = 4;

inline constexpr std::size_t max_labels = 16;

/// A value of a body that viewers display.
struct Label {
  std::string name;
  LabelKind kind = LabelKind::EnergyChange;
  float value = 0;

  bool operator==(const Label&) const = default;
};

/// All labels of a scene at the end of a tick, in the scene's order.
struct Labels {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<Label> lines;  // at most max_labels labels

  bool operator==(const Labels&) const = default;
};

}  // namespace jostle::state
