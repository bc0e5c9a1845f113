#pragma once

#include "shared/base/result.h"
#include "shared/record/recording.h"

#include <cstddef>
#include <span>

namespace jostle::record {

inline constexpr std::size_t max_recording_bytes = std::size_t{4} << 30;
inline constexpr std::size_t max_section_bytes = std::size_t{512} << 20;

/// Reads a whole recording. A torn end (the writer died) is no error: `is_closed` is false then,
/// and what stands before it is there. Damage before good sections is refused with its place.
base::Result<Recording, RecordingError> read_recording(std::span<const std::byte> bytes);

}  // namespace jostle::record
