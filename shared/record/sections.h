#pragma once

#include "shared/record/recording.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::record {

/// Returns a complete section as stored in a file (see recording.h) for the given content.
std::vector<std::byte> section_of(SectionType type, std::span<const std::byte> raw);

/// Position of a block, as an offset from the start of the file.
struct IndexEntry {
  std::uint64_t offset = 0;
  std::uint32_t first_tick = 0, tick_count = 0;
};
/// Returns the index section that ends a recording.
std::vector<std::byte> index_section(std::span<const IndexEntry> index);

}  // namespace jostle::record
