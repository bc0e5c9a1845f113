#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <span>

namespace jostle::record {

inline constexpr std::size_t max_recording_bytes = std::size_t{4} << 30;
inline constexpr std::size_t max_section_bytes = std::size_t{512} << 20;

/// Reads a whole recording. An incomplete end, after the writer was interrupted, is not an error:
/// `is_closed` is then false, and everything before it is returned. Damage before intact sections
/// is an error with its position.
base::Result<Recording, RecordingError> read_recording(std::span<const std::byte> bytes);

}  // namespace jostle::record
