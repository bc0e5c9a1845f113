#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::record {

inline constexpr std::size_t max_recording_bytes = std::size_t{4} << 30;
inline constexpr std::size_t max_section_bytes = std::size_t{512} << 20;

/// Reads a whole recording. If the end is incomplete because the writer was interrupted,
/// `is_closed` is false and everything before it is returned. A last section with a wrong checksum
/// also counts as an incomplete end. An incomplete header is an error, and so is damage before
/// intact sections; both name the position.
base::Result<Recording, RecordingError> read_recording(std::span<const std::byte> bytes);

/// The part of a damaged recording that can be read.
struct ReadableStart {
  Recording recording;
  std::size_t valid_bytes = 0;  // length of the preamble and the intact sections, from the start
  /// The fault that ends the readable part. Null if the file ends there, perhaps with a section of
  /// which the end is missing.
  std::optional<RecordingError> fault;
  /// True if an intact section follows the fault: the file was damaged, and not just interrupted.
  bool has_sections_after_fault = false;
  /// Place after a section with a state or with ticks: the file can be cut there.
  struct Cut {
    std::size_t bytes = 0;        // length up to there
    std::uint32_t next_tick = 0;  // the first tick that is cut off
  };
  std::vector<Cut> cuts;  // in order
};
/// Reads a recording up to its first fault. The error says why not even the header can be read.
base::Result<ReadableStart, RecordingError> read_start(std::span<const std::byte> bytes);

/// The first tick of a recording, or the number of bytes that are needed to find it.
struct FirstTick {
  std::uint32_t tick = 0;  // 0: not known
  std::size_t needed = 0;  // length of the start of the file that must be read; 0: more do not help
};
/// Finds the first tick of a recording from the first bytes of its file, so that a large file need
/// not be read.
FirstTick find_first_tick(std::span<const std::byte> start);

}  // namespace jostle::record
