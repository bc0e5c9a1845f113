#pragma once

#include "shared/base/result.h"
#include "tools/snapshots/frame_codec.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::snapshots {

struct SnapshotOptions {
  std::string codec = "v2";
  std::uint32_t age = 6;   // ticks between a frame and its baseline
  std::string program;     // the decoder, run as `PROGRAM snapshot-decoder CODEC [SCENE]`
  std::string scene;       // name of the scene; empty if the codec needs none
  std::uint64_t seed = 1;  // seed of the order in which frames are decoded
};

struct SnapshotFigures {
  std::size_t frames = 0;
  double changed_bodies = 0;  // number of poses that differ from the baseline's, per frame
  double payload_bytes = 0;   // bytes per frame
  double wire_bytes = 0;      // bytes per frame with all headers, including IP and UDP
  double parts = 0;
  double encode_median_us = 0, encode_p99_us = 0;
  double decode_median_us = 0, decode_p99_us = 0;
  /// Frames in which 80 to 100 bodies changed.
  std::size_t busy_frames = 0;
  double busy_encode_median_us = 0, busy_decode_median_us = 0,
         busy_prediction_baseline_median_us = 0;
  /// CPU time of the prediction by simulation in the decoder; 0 if the codec has none.
  double prediction_baseline_median_us = 0, prediction_baseline_p99_us = 0;
};

/// Encodes every frame from number `age` on with the frame `age` before it as the baseline. A
/// second process, which receives only acknowledged frames, decodes the results in random order.
/// Compares the decoded frames with the originals bit for bit. Times are CPU times. The error names
/// the first frame that differs.
base::Result<SnapshotFigures, std::string> measure_snapshots(const FrameSet& set,
                                                             const scene::SceneDef* scene,
                                                             const SnapshotOptions& options);

}  // namespace jostle::snapshots
