#pragma once

#include "shared/state/ids.h"
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
  // values of rules
  Number,
  Duration,  // s
  Text,
};
/// Number of kinds of scenes, which come first, and number of all kinds.
inline constexpr std::uint8_t label_kind_count = 4, shown_kind_count = 7;

inline constexpr std::size_t max_labels = 16;
/// Maximum number of values of rules that one client sees.
inline constexpr std::size_t max_shown_values = 12;
/// Maximum length of the name and of the text of a rule's value.
inline constexpr std::size_t max_value_name_bytes = 24, max_value_text_bytes = 40;

/// A value of a body or of a rule that viewers display.
struct Label {
  std::string name;
  LabelKind kind = LabelKind::EnergyChange;
  float value = 0;
  std::string text{};  // Text only

  bool operator==(const Label&) const = default;
};

/// A value that a rule shows to one player, or to all clients.
struct ShownValue {
  PlayerId player;  // null: all clients
  Label label;      // kind Number, Duration or Text

  bool operator==(const ShownValue&) const = default;
};

/// All labels of a scene at the end of a tick, in the scene's order, or all values of rules that a
/// client sees.
struct Labels {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<Label> lines;  // at most max_labels labels or max_shown_values values

  bool operator==(const Labels&) const = default;
};

}  // namespace jostle::state
