#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <optional>
#include <span>

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
};
/// Reads a recording up to its first fault. The error says why not even the header can be read.
base::Result<ReadableStart, RecordingError> read_start(std::span<const std::byte> bytes);

}  // namespace jostle::record
