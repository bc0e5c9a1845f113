#pragma once

#include "shared/record/recording.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::record {

/// A section as it stands in a file (recording.h), from what it holds.
std::vector<std::byte> section_of(SectionType type, std::span<const std::byte> raw);

/// Where a block stands, counted from the file's first byte.
struct IndexEntry {
  std::uint64_t offset = 0;
  std::uint32_t first_tick = 0, tick_count = 0;
};
/// The section that ends a recording.
std::vector<std::byte> index_section(std::span<const IndexEntry> index);

}  // namespace jostle::record
