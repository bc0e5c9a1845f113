#pragma once

#include "shared/state/command.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jostle::record {

// A recording (.jrec) holds all that a run depends on: the scene's text, the options, the commands
// of every tick, and the hash of the state after it; with a whole state every `ticks_per_block`
// ticks to start from. It holds no image of a struct, so that any build on any machine reads it.
//
//   "JREC" | u16 format | u16 0 | sections
//   section = u8 type | u32 stored bytes | u32 raw bytes | stored (zstd) | u32 CRC-32C of all of it
//
// The first section is the header, then come blocks; an index ends a recording that was closed.
// Without it the process died: what stands before is whole all the same.

inline constexpr std::uint16_t format_version = 1;
inline constexpr std::uint32_t ticks_per_block = 600;

enum class SectionType : std::uint8_t { Header = 1, Block = 2, Index = 3 };

/// What a run starts from.
struct RecordingHeader {
  std::string program;     // "jostle 0.1.0, gcc ...": for people, not checked
  std::string scene_file;  // name only, for messages
  std::string scene_text;
  std::uint64_t scene_hash = 0;
  std::uint64_t seed = 0;
  std::uint32_t tick_rate_hz = 0;
  std::vector<std::string> rules;  // names, in order

  bool operator==(const RecordingHeader&) const = default;
};

struct RecordedTick {
  state::TickCommands commands;
  std::uint64_t hash = 0;  // sim::SimulationHash::total after it

  bool operator==(const RecordedTick&) const = default;
};

/// Consecutive ticks and the state before the first of them.
struct RecordedBlock {
  std::vector<std::byte> state_before;  // sim::Simulation::save
  std::vector<RecordedTick> ticks;

  bool operator==(const RecordedBlock&) const = default;
};

struct Recording {
  RecordingHeader header;
  std::vector<RecordedBlock> blocks;
  bool is_closed = false;  // ended by its index

  std::size_t tick_count() const;
};

/// Why a file is not a recording that can be used, and where in it.
struct RecordingError {
  std::string message;
  std::size_t offset = 0;

  /// "at byte 1042: the block's checksum does not match"
  std::string text() const;
};

}  // namespace jostle::record
