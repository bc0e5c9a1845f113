#pragma once

#include "shared/base/bytes.h"
#include "shared/record/recording.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::record {

/// Returns a complete section as stored in a file (see recording.h) for the given content.
std::vector<std::byte> section_of(SectionType type, std::span<const std::byte> raw);

/// Returns the first bytes of a recording and its header section. `rules` are the names of the
/// simulation's rules.
std::vector<std::byte> recording_start(const sim::Simulation& simulation,
                                       const std::vector<std::string>& rules,
                                       const std::string& scene_file);
std::vector<std::byte> recording_start(const RecordingHeader& header);
/// Appends a tick as it is stored in the sections Block and Ticks.
void write_tick(base::ByteWriter& writer, const state::TickCommands& commands,
                const std::vector<RecordedFault>& faults, const TickHash& hash);
/// Returns the content of a section Block. `ticks` holds `tick_count` ticks of write_tick().
std::vector<std::byte> block_bytes(std::uint32_t first_tick,
                                   std::span<const std::byte> state_before,
                                   std::span<const BodyHash> bodies_before,
                                   std::uint32_t tick_count, std::span<const std::byte> ticks);

/// Position of a block, as an offset from the start of the file.
struct IndexEntry {
  std::uint64_t offset = 0;
  std::uint32_t first_tick = 0, tick_count = 0;
};
/// Returns the index section that ends a recording.
std::vector<std::byte> index_section(std::span<const IndexEntry> index);

}  // namespace jostle::record
