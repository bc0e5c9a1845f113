#pragma once

#include "tools/priors/frame_set.h"

#include <cstdint>
#include <string>

namespace jostle::priors {

struct Score {
  std::size_t frames = 0;
  double bytes_per_frame = 0;  // payload
  double changed_per_frame = 0;
  // Of the frames with 80 to 100 bodies that changed, if any; else of all.
  double encode_median_us = 0, encode_p99_us = 0;
  double decode_median_us = 0, decode_p99_us = 0;
};

/// Codes every frame from the seventh on against the one six before it and that `gap_ticks` before
/// that, decodes it and compares. Ends the program when a frame does not come back.
Score score(const FrameSet& set, std::uint32_t gap_ticks);

}  // namespace jostle::priors
