#include "shared/record/recording.h"

namespace jostle::record {

std::size_t Recording::tick_count() const {
  std::size_t count = 0;
  for (const RecordedBlock& block : blocks)
    count += block.ticks.size();
  return count;
}

std::string RecordingError::text() const {
  return "at byte " + std::to_string(offset) + ": " + message;
}

}  // namespace jostle::record
