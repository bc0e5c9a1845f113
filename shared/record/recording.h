#pragma once

#include "shared/sim/simulation.h"
#include "shared/state/command.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::record {

// A recording (.jrec) holds everything that a run depends on: the scene's text, the options, the
// commands of every tick, and the hashes of the state after it. At least every `ticks_per_block`
// ticks it also holds a full state from which a replay can start, with the hash of each body. It
// contains no memory images of structs, so any build on any machine can read it.
//
//   "JREC" | u16 format | u16 0 | sections
//   section = u8 type | u32 stored bytes | u32 raw bytes | stored (zstd) | u32 CRC-32C of all of it
//
// The first section is the header, followed by blocks and ticks. An index ends a recording that was
// closed. If the index is missing, the writer was interrupted; all complete sections are still
// valid. Format 4 added the section Ticks, and blocks without ticks: a program that writes while it
// runs writes the state first, and the ticks as they happen. Format 3 is still read.
//
//   Header: program, scene file, scene text, u64 scene hash, u64 seed, u32 Hz, rules.
//   Block: u32 first tick | state before it | u32 count, (u32 body, u64 hash)... |
//     u32 count, ticks.
//   Ticks: u32 first tick | u32 count, ticks. They continue the last block.
//   Tick: u32 bytes, commands (protocol/input_codec.h) | faults | u64 hash | u32 of each part.
//   Faults: u8 count, (u32 body, field)...
//   Index: u32 count, (u64 offset, u32 first tick, u32 ticks)...

inline constexpr std::uint16_t format_version = 4, oldest_format_version = 3;
inline constexpr std::uint32_t ticks_per_block = 600;
inline constexpr std::size_t max_faults_per_tick = 16;
inline constexpr std::size_t max_field_name_bytes = 64;

enum class SectionType : std::uint8_t { Header = 1, Block = 2, Index = 3, Ticks = 4 };

/// Initial conditions of a run.
struct RecordingHeader {
  std::string program;     // "jostle 0.1.0, gcc ...", for display only
  std::string scene_file;  // name without folders, for display
  std::string scene_text;
  std::uint64_t scene_hash = 0;
  std::uint64_t seed = 0;
  std::uint32_t tick_rate_hz = 0;
  std::vector<std::string> rules;  // names, in order

  bool operator==(const RecordingHeader&) const = default;
};

/// Names of the parts of a state that have a separate hash.
inline constexpr std::array<std::string_view, 8> hash_parts{
    "bodies", "shapes", "contacts", "islands", "joints", "fields", "particles", "rules"};

/// The hash of a state, and the lower halves of the hashes of its parts in the order of
/// `hash_parts`. Only `total` decides whether states differ; the parts say where.
struct TickHash {
  std::uint64_t total = 0;
  std::array<std::uint32_t, hash_parts.size()> parts{};

  bool operator==(const TickHash&) const = default;
};
TickHash tick_hash_of(const sim::SimulationHash& hash);
/// Returns the names of the parts that differ, such as "bodies, contacts". If no part differs, the
/// text says that only the total hash differs.
std::string parts_that_differ(const TickHash& a, const TickHash& b);

/// An injected fault (sim::Simulation::flip_lowest_bit), applied after the step of its tick.
struct RecordedFault {
  state::BodyId body;
  std::string field;

  bool operator==(const RecordedFault&) const = default;
};

struct RecordedTick {
  state::TickCommands commands;
  std::vector<RecordedFault> faults;
  TickHash hash;  // hash of the state after the step and the faults

  bool operator==(const RecordedTick&) const = default;
};

/// Hash of one body's state (physics::World::hash).
struct BodyHash {
  state::BodyId body;
  std::uint64_t hash = 0;

  bool operator==(const BodyHash&) const = default;
};
/// Returns the hashes of all bodies, sorted by body id.
std::vector<BodyHash> body_hashes_of(const sim::Simulation& simulation);

/// Consecutive ticks, and the state before the first of them.
struct RecordedBlock {
  std::vector<std::byte> state_before;  // sim::Simulation::save
  std::vector<BodyHash> bodies_before;  // sorted by body id
  std::vector<RecordedTick> ticks;

  bool operator==(const RecordedBlock&) const = default;
};

struct Recording {
  RecordingHeader header;
  std::vector<RecordedBlock> blocks;
  bool is_closed = false;  // true if it ends with an index
  /// The state after the last tick, if the recording ends with a block without ticks; else empty.
  std::vector<std::byte> final_state;

  std::size_t tick_count() const;
};

/// Reason why a file is not a usable recording, and the position of the fault.
struct RecordingError {
  std::string message;
  std::size_t offset = 0;
  /// Set by read_start(): intact sections follow, so the file was damaged.
  bool has_sections_after = false;
  bool is_other_format = false;  // a build that knows the format may read it

  /// Returns the error as text, such as "at byte 1042: the block's checksum does not match".
  std::string text() const;
};

}  // namespace jostle::record
