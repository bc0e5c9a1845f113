#pragma once

#include "shared/base/result.h"
#include "tools/snapshots/frame_codec.h"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::snapshots {

// A decoder in a process of its own: it is told of frames that a client has acknowledged, and of
// the bytes of others, and nothing else. Requests and answers go over its standard input and output
// as blocks of a length and so many bytes.

struct Decoded {
  Frame frame;
  double microseconds = 0;  // of CPU, without foresight
  double foresight_us = 0;
};

class DecoderProcess {
 public:
  DecoderProcess() = default;
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Starts `program` with the arguments. The error says why it could not be.
  base::Result<bool, std::string> start(const std::string& program,
                                        const std::vector<std::string>& arguments);
  /// Tells a frame, whole, by its number.
  bool acknowledge(std::uint32_t number, const Frame& frame);
  /// What the process makes of the parts of a frame that is `age` later than an acknowledged one,
  /// which is `gap` later than another, if that is not 0.
  base::Result<Decoded, std::string> decode(std::uint32_t baseline, std::uint32_t age,
                                            std::uint32_t gap, const std::vector<Part>& parts);

 private:
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
};

/// What the process does, until its input ends: 0, or 1 after a request that makes no sense.
int serve_decoder(int input, int output, const FrameCodec& codec);

}  // namespace jostle::snapshots
