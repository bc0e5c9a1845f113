#pragma once

#include "protocol/decode_error.h"
#include "protocol/lockstep_messages.h"
#include "shared/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol {

/// As many of the frames, from the first on, as fit a message of the State channel; at least one.
/// One that is longer than a message by itself makes a longer one: it is for the caller to send it
/// otherwise. A frame of inputs alone takes two bytes and some for each player who does something
/// else than in the frame before; others go as decode_commands() reads them.
struct EncodedFrames {
  std::vector<std::byte> bytes;
  std::size_t count = 0;  // of frames in it
};
EncodedFrames encode_frames(const InputFrames& message);
base::Result<InputFrames, DecodeError> decode_frames(std::span<const std::byte> bytes);

/// Control channel.
std::vector<std::byte> encode_lockstep(const LockstepMessage& message);
/// Whether this is such a message, by its file identifier.
bool is_lockstep(std::span<const std::byte> bytes);
base::Result<LockstepMessage, DecodeError> decode_lockstep(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
