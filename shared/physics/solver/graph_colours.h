#pragma once

#include "shared/physics/solver/body_block.h"
#include "shared/physics/solver/solver_arrays.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

namespace jostle::physics {

constexpr std::uint32_t colour_count = 64;
/// Colour of contacts and joints whose bodies already use all other colours.
constexpr std::uint32_t overflow_colour = colour_count;

/// Number of bundles in a block. It is large enough to outweigh the cost of passing a block to a
/// thread, and small enough to balance the load of the threads.
constexpr std::uint32_t bundles_per_block = 16;

/// Returns the lowest colour whose bit is not set in `taken`, or overflow_colour if all are set.
constexpr std::uint32_t lowest_free_colour(std::uint64_t taken) {
  return static_cast<std::uint32_t>(std::countr_one(taken));
}

/// Layout of contacts or joints sorted by colour and, within a colour, by one of `kinds` kinds.
/// Each pair of colour and kind is a group, and no bundle contains members of two groups.
template <std::uint32_t kinds>
struct ColourLayout {
  static constexpr std::uint32_t group_count = (colour_count + 1) * kinds;

  std::array<std::uint32_t, group_count> members{};  // number of members, by group
  std::array<std::uint32_t, group_count> bundles{};  // number of bundles, by group
  std::array<std::uint32_t, group_count> first{};    // index of the first bundle, by group

  static constexpr std::uint32_t group_of(std::uint32_t colour, std::uint32_t kind) {
    return colour * kinds + kind;
  }
  static constexpr std::uint32_t kind_of(std::uint32_t group) { return group % kinds; }
  static constexpr bool is_overflow(std::uint32_t group) {
    return group / kinds == overflow_colour;
  }
  /// Returns the maximum number of members in a bundle. It is 1 in the overflow colour, where
  /// bodies may repeat.
  static constexpr std::uint32_t members_per_bundle(std::uint32_t group) {
    return is_overflow(group) ? 1 : static_cast<std::uint32_t>(lane_count);
  }

  void count_bundles() {
    for (std::uint32_t group = 0; group < group_count; ++group) {
      const std::uint32_t size = members_per_bundle(group);
      bundles[group] = (members[group] + size - 1) / size;
    }
  }

  /// Divides the bundles into blocks of work, colour by colour, and stores the blocks in `cut`.
  /// Sets ColourBlock::kind to `label(kind)`.
  template <typename Label>
  void cut(ColourBlocks& cut, const Label& label) const {
    cut.colours.clear();
    cut.blocks.clear();
    std::vector<PlacedBlock> placed;
    for (std::uint32_t colour = 0; colour <= overflow_colour; ++colour) {
      placed.clear();
      for (std::uint32_t kind = 0; kind < kinds; ++kind) {
        const std::uint32_t group = group_of(colour, kind);
        const std::uint32_t last = first[group] + bundles[group];
        for (std::uint32_t i = first[group]; i < last; i += bundles_per_block) {
          const std::uint32_t end = last - i > bundles_per_block ? i + bundles_per_block : last;
          placed.push_back({place_of(i - first[group], bundles[group]), {label(kind), i, end}});
        }
      }
      if (placed.empty()) continue;
      const bool is_serial = colour == overflow_colour;
      if (!is_serial) std::ranges::stable_sort(placed, {}, &PlacedBlock::place);
      const auto begin = static_cast<std::uint32_t>(cut.blocks.size());
      for (const PlacedBlock& block : placed)
        cut.blocks.push_back(block.block);
      cut.colours.push_back({begin, static_cast<std::uint32_t>(cut.blocks.size()), is_serial});
    }
    order(cut);
  }

 private:
  struct PlacedBlock {
    // position of the block's first bundle in its group, as a share of the group, 0..1
    float place = 0;
    ColourBlock block;
  };

  static float place_of(std::uint32_t index, std::uint32_t count) {
    return static_cast<float>(index) / static_cast<float>(count);
  }

  static void order(ColourBlocks& cut) {
    std::vector<float> places(cut.blocks.size());
    for (const ColourRange& colour : cut.colours) {
      for (std::uint32_t i = colour.first; i < colour.last; ++i)
        places[i] = place_of(i - colour.first, colour.last - colour.first);
    }
    cut.order.resize(cut.blocks.size());
    std::iota(cut.order.begin(), cut.order.end(), 0U);
    std::ranges::stable_sort(cut.order, {}, [&](std::uint32_t i) { return places[i]; });
  }
};

}  // namespace jostle::physics
