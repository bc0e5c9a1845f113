#pragma once

#include "protocol/decode_error.h"
#include "protocol/lockstep_messages.h"
#include "shared/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Result of encode_frames(): the first frames of the message. There are as many as fit a message
/// of the State channel, at least one and at most max_frames_per_message. If the first frame alone
/// is longer than a message, `bytes` is too long, and the caller must send the frame in another
/// way.
///
/// A frame that repeats the inputs of the previous frame takes one byte. Any other frame that
/// consists of inputs takes two bytes plus at least three per player. All other frames are stored
/// in the encoding of encode_commands().
struct EncodedFrames {
  std::vector<std::byte> bytes;
  std::size_t count = 0;  // number of frames encoded
};
EncodedFrames encode_frames(const InputFrames& message);
base::Result<InputFrames, DecodeError> decode_frames(std::span<const std::byte> bytes);

/// Codec of lockstep messages on the Control channel.
std::vector<std::byte> encode_lockstep(const LockstepMessage& message);
/// Returns true if the file identifier of `bytes` is that of a lockstep message.
bool is_lockstep(std::span<const std::byte> bytes);
base::Result<LockstepMessage, DecodeError> decode_lockstep(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
