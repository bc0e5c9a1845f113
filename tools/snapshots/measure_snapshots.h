#pragma once

#include "shared/base/result.h"
#include "tools/snapshots/frame_codec.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::snapshots {

struct SnapshotOptions {
  std::string codec = "v2";
  std::uint32_t age = 6;   // ticks from a frame back to the one it is coded against
  std::string program;     // that decodes, as `PROGRAM snapshot-decoder CODEC [SCENE]`
  std::string scene;       // its name; nothing: of codecs that do without
  std::uint64_t seed = 1;  // of the order in which frames are decoded
};

struct SnapshotFigures {
  std::size_t frames = 0;
  double changed_bodies = 0;  // poses that are not those of the frame they are coded against
  double payload_bytes = 0;   // a frame
  double wire_bytes = 0;      // with all headers, of IP and UDP included
  double parts = 0;
  double encode_median_us = 0, encode_p99_us = 0;
  double decode_median_us = 0, decode_p99_us = 0;
  /// Of frames in which 80 to 100 bodies changed.
  std::size_t busy_frames = 0;
  double busy_encode_median_us = 0, busy_decode_median_us = 0, busy_foresight_median_us = 0;
  /// Of the simulation that an end runs besides; 0 if the codec has none.
  double foresight_median_us = 0, foresight_p99_us = 0;
};

/// Times are of CPU. Codes every frame from number `age` on against the one `age` before it, has a
/// second process decode them in a random order, from acknowledged frames alone, and compares bit
/// for bit. The error names the first frame that differs.
base::Result<SnapshotFigures, std::string> measure_snapshots(const FrameSet& set,
                                                             const scene::SceneDef* scene,
                                                             const SnapshotOptions& options);

}  // namespace jostle::snapshots
