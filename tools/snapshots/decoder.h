#pragma once

#include "shared/base/result.h"
#include "tools/snapshots/frame_codec.h"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::snapshots {

// A decoder in its own process. It receives frames that a client acknowledged and the encoded bytes
// of other frames, and nothing else. Requests and answers go through its standard input and output
// as blocks: a length, then that many bytes.

struct Decoded {
  Frame frame;
  double microseconds = 0;  // CPU time, without the prediction
  double prediction_baseline_us = 0;
};

class DecoderProcess {
 public:
  DecoderProcess() = default;
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Starts `program` with the arguments. The error says why it could not be started.
  base::Result<bool, std::string> start(const std::string& program,
                                        const std::vector<std::string>& arguments);
  /// Sends the whole frame `number`, which the decoder may then use as a baseline. Returns false if
  /// the process has ended.
  bool acknowledge(std::uint32_t number, const Frame& frame);
  /// Decodes the parts of a frame. The frame is `age` frames after the acknowledged frame
  /// `baseline`. If `gap` is not 0, there is another acknowledged frame `gap` frames before the
  /// baseline.
  base::Result<Decoded, std::string> decode(std::uint32_t baseline, std::uint32_t age,
                                            std::uint32_t gap, const std::vector<Part>& parts);

 private:
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

/// Runs the decoder until its input ends. Returns 0, or 1 after an invalid request.
int serve_decoder(int input, int output, const FrameCodec& codec);

}  // namespace jostle::snapshots
