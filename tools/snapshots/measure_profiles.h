#pragma once

#include "protocol/messages.h"
#include "shared/base/result.h"
#include "tools/snapshots/frame_set.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::snapshots {

using protocol::Profile;

struct ProfileFigures {
  std::size_t frames = 0;
  double raw_bytes = 0;                               // per frame, without compression
  double bytes = 0;                                   // bytes per frame
  double encode_median_us = 0, decode_median_us = 0;  // CPU time
};

/// Encodes the state of every frame from number `age` on in profile Fine or Lossless, with the
/// frame `age` before it as the baseline (protocol/precise/precise_codec.h). Decodes the result and
/// compares it with the state bit for bit. The error names the first frame that differs, or says
/// that the set has no states.
base::Result<ProfileFigures, std::string> measure_profile(const FrameSet& set, Profile profile,
                                                          std::uint32_t age);

}  // namespace jostle::snapshots
