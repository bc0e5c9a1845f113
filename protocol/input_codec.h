#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"
#include "shared/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Client → server on the State channel. Drops the oldest inputs, if it must, to stay within
/// max_client_message_bytes. Movement is carried exactly (float), so that client and server agree
/// on it.
std::vector<std::byte> encode_input(const InputPacket& packet);

/// Every float of what it returns is finite, move is at most 1 long, ticks ascend, counts are
/// within limits.
base::Result<InputPacket, DecodeError> decode_input(std::span<const std::byte> bytes);

/// The same layout for recordings, one input without a packet around it.
std::vector<std::byte> encode_commands(const state::TickCommands& commands);
/// Whether this is such a message, by its file identifier.
bool is_commands(std::span<const std::byte> bytes);
base::Result<state::TickCommands, DecodeError> decode_commands(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
