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
  double raw_bytes = 0;                               // a frame, every body whole
  double bytes = 0;                                   // a frame
  double encode_median_us = 0, decode_median_us = 0;  // of CPU
};

/// Codes the states of every frame from number `age` on in profile Fine or Lossless against those
/// `age` before it (protocol/precise/precise_codec.h), decodes them and compares bit for bit. The
/// error names the first frame that differs, or says that the set has no states.
base::Result<ProfileFigures, std::string> measure_profile(const FrameSet& set, Profile profile,
                                                          std::uint32_t age);

}  // namespace jostle::snapshots
