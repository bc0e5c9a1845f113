#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <span>

namespace jostle::record {

inline constexpr std::size_t max_recording_bytes = std::size_t{4} << 30;
inline constexpr std::size_t max_section_bytes = std::size_t{512} << 20;

/// Reads a whole recording. If the end is incomplete because the writer was interrupted,
/// `is_closed` is false and everything before it is returned. A last section with a wrong checksum
/// also counts as an incomplete end. An incomplete header is an error, and so is damage before
/// intact sections; both name the position.
base::Result<Recording, RecordingError> read_recording(std::span<const std::byte> bytes);

}  // namespace jostle::record
